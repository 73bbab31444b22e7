import type { Frame, Locator } from 'playwright-core';
import type { LooseFile, Workbench } from './workbench';

/** The run panel, by the accessible names that people and screen readers find things by. */
export class RunPanel {
  /** Opens a panel of the model, as one does from the palette. */
  static async open(workbench: Workbench, model: string): Promise<RunPanel> {
    for (;;) {
      await workbench.runCommand('Model Bench: Run Model…');
      await workbench.expectQuickInput('Choose a model to run');
      try {
        // The list shows only the rows in sight.
        await workbench.quickInputBox.fill(model, { timeout: 5000 });
        break;
      } catch (error) {
        // VS Code gives a webview its focus back after the palette has closed. Late, that closes the question too.
        if (await workbench.quickInput.isVisible()) throw error;
      }
    }
    await workbench.pick(model);
    return RunPanel.in(workbench, model);
  }

  /** The panel whose title has the model's name, once its form (or why there is none) is there. */
  static async in(workbench: Workbench, model: string | RegExp): Promise<RunPanel> {
    await workbench.activeEditorTab(model).waitFor();
    for (;;) {
      const panel = new RunPanel(workbench, await workbench.webview(model));
      try {
        // The button is there before the model is; without one, the panel says why.
        await panel.tab('Form').or(panel.frame.getByRole('alert')).first().waitFor();
        return panel;
      } catch (error) {
        // Of two panels of one model, the one that was on screen before is found for a moment longer.
        if (!panel.frame.isDetached()) throw error;
      }
    }
  }

  private constructor(
    private readonly workbench: Workbench,
    readonly frame: Frame,
  ) {}

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  tab(name: string): Locator {
    return this.frame.getByRole('tab', { name, exact: true });
  }

  field(label: string): Locator {
    return this.frame.getByLabel(label, { exact: true }).first();
  }

  get result(): Locator {
    return this.frame.getByRole('region', { name: 'Result' });
  }

  async fill(label: string, text: string): Promise<void> {
    // Toolkit components keep the input inside their shadow root, which a role reaches and a label may not.
    await this.frame.getByRole('textbox', { name: label, exact: true }).first().fill(text);
  }

  async dropFile(label: string, file: LooseFile): Promise<void> {
    const zone = this.frame.getByRole('button', { name: new RegExp(label) }).first();
    await this.workbench.drop(zone, [file]);
    await this.frame.getByText(file.name).first().waitFor();
  }

  /** Presses Run, waits for the response, and resolves to what the result says. */
  async run(): Promise<string> {
    await this.button('Run').click();
    const preview = this.result.getByRole('tabpanel').first();
    await preview.waitFor();
    return (await preview.allInnerTexts()).join('\n').trim();
  }
}
