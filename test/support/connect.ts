import type { Workbench } from './workbench';

/** A service, as a user enters it. */
export interface Entered {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Connects by the command and its three questions; the test waits for the result. */
export async function connect(window: Workbench, { name, baseUrl, apiKey }: Entered): Promise<void> {
  await window.runCommand('Model Bench: Connect to a Service…');
  await window.answerQuickInput(name, /Name/);
  await window.answerQuickInput(baseUrl, /Base URL/);
  await window.answerQuickInput(apiKey, /API Key/);
}

/** Switches by the command, which asks for the environment: also just after connecting, when the catalog takes the focus. */
export async function switchTo(window: Workbench, name: string): Promise<void> {
  await window.runCommandThatAsks('Model Bench: Switch Environment…', /its own key/, () =>
    window
      .quickPickRow(name)
      .first()
      .click({ timeout: window.limit(20_000) }),
  );
  await window.statusBarItem('modelBench.wallet').filter({ hasText: name }).waitFor();
}
