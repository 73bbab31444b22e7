import type { Frame, Locator, Page } from 'playwright-core';
import type { Steps } from './steps';
import { dropOn, type LooseFile } from './webviews';
import type { Workbench } from './workbench';

/** The run panel, by the accessible names that people and screen readers find things by. */
export class RunPanel {
  /** Opens a panel of the model, as one does from the palette. */
  static async open(workbench: Workbench, model: string): Promise<RunPanel> {
    workbench.steps.add(`opened a run panel of ${model}`);
    await workbench.runCommandThatAsks('Model Bench: Run Model…', 'Choose a model to run', async () => {
      // The list shows only the rows in sight.
      await workbench.quickInputBox.fill(model, { timeout: workbench.limit(20_000) });
      await workbench
        .quickPickRow(model)
        .first()
        .click({ timeout: workbench.limit(20_000) });
    });
    return RunPanel.in(workbench, model);
  }

  /**
   * The panel with the model's name in its title, once its form (or why there is none) is there.
   * @param button that it has, and the panel of the same model that was on screen before has not
   */
  static async in(workbench: Workbench, model: string | RegExp, button?: string): Promise<RunPanel> {
    await workbench.activeEditorTab(model).waitFor();
    for (;;) {
      const frame = await workbench.webview(model);
      const panel = new RunPanel(frame, workbench.steps);
      try {
        // The button is there before the model is; without one, the panel says why.
        await panel.tab('Form').or(panel.frame.getByRole('alert')).first().waitFor();
        if (button !== undefined) await panel.button(button).waitFor();
        return panel;
      } catch (error) {
        // Of two panels of one model, the one that was on screen before is found for a moment longer.
        if (!frame.isDetached()) throw error;
      }
    }
  }

  constructor(
    readonly frame: Frame | Page,
    private readonly steps: Steps,
  ) {}

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  tab(name: string): Locator {
    return this.frame.locator('.request').getByRole('tab', { name, exact: true });
  }

  field(label: string): Locator {
    return this.frame.getByLabel(label, { exact: true }).first();
  }

  get result(): Locator {
    return this.frame.getByRole('region', { name: 'Result' });
  }

  /** Shows a tab of the result; "Raw" is a toggle of the JSON tab. */
  async showResult(tab: string): Promise<void> {
    const isRaw = tab === 'Raw';
    const name = isRaw ? 'JSON' : tab;
    const chosen = this.result.getByRole('tab', { name, exact: true });
    if ((await chosen.getAttribute('aria-selected')) !== 'true') {
      await chosen.click();
      await this.result.getByRole('tab', { name, exact: true, selected: true }).waitFor();
    }
    if (name !== 'JSON') return;
    const toggle = this.result.getByRole('button', { name: 'Raw', exact: true });
    if ((await toggle.getAttribute('aria-pressed')) !== String(isRaw)) await toggle.click();
  }

  async fill(label: string, text: string): Promise<void> {
    this.steps.add(`filled in ${label}: “${text.slice(0, 80)}”`);
    // Toolkit components keep the input inside their shadow root, which a role reaches and a label may not.
    await this.frame.getByRole('textbox', { name: label, exact: true }).first().fill(text);
  }

  async dropFile(label: string, file: LooseFile): Promise<void> {
    await this.dropOn(this.frame.getByRole('button', { name: new RegExp(label) }).first(), file);
  }

  /** Until it is attached, which its button shows: the line that says that it will be moves Run, under a click on it. */
  async dropOn(zone: Locator, file: LooseFile): Promise<void> {
    this.steps.add(`dropped ${file.name}`);
    await dropOn(zone, [file]);
    await this.button(file.name).first().waitFor();
  }

  /** Presses Run, waits for the response, and resolves to the result's text. */
  async run(): Promise<string> {
    this.steps.add('pressed Run, and waited for the result');
    const before = (await this.result.count()) > 0 ? await this.result.getAttribute('data-run') : null;
    await this.button('Run').click();
    await this.ended(before);
    return (await this.result.getByRole('tabpanel').first().allInnerTexts()).join('\n').trim();
  }

  /** Waits until the result of another run is shown; that of an earlier one stays, dimmed, until then. */
  private async ended(before: string | null): Promise<void> {
    const other = before === null ? '[data-run]' : `[data-run]:not([data-run="${before}"])`;
    await this.frame.locator(`[role=region][aria-busy=false]${other}`).waitFor();
  }
}
