import type { Workbench } from './workbench';

/** A service, as a user enters it. */
export interface Entered {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Connects by the command and its three questions; what comes of it is for the test to wait for. */
export async function connect(window: Workbench, { name, baseUrl, apiKey }: Entered): Promise<void> {
  await window.runCommand('Model Bench: Connect to a Service…');
  await window.answerQuickInput(name, /Name/);
  await window.answerQuickInput(baseUrl, /Base URL/);
  await window.answerQuickInput(apiKey, /API Key/);
}
