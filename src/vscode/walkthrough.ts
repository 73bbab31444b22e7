import * as vscode from 'vscode';
import { contextKeys } from '../contributions';
import { executeBuiltIn } from './commands';
import { DisposableStore } from './disposables';

/** The requests of the walkthrough's steps, with the key that ticks each. */
const steps = {
  connect: contextKeys.hasConnected,
  run: contextKeys.hasRun,
  index: contextKeys.hasIndexed,
  search: contextKeys.hasSearched,
  experiment: contextKeys.hasExperimented,
  cost: contextKeys.hasSeenCosts,
} as const;

export type WalkthroughStep = keyof typeof steps;

/** After a page was shown: VS Code reads its extensions' walkthroughs a little later, at most five seconds. */
const LOOKS_MS = [0, 1_000, 6_000];

/** Ticks a step, now if the walkthrough was opened in this window, otherwise when it is. */
export async function noteStepDone(memory: vscode.Memento, step: WalkthroughStep): Promise<void> {
  if (!isDone(memory, step)) await memory.update(stepKey(step), true);
  await tick(step);
}

/** Ticks the steps done before the walkthrough was opened. Reads only the memory. */
export function registerWalkthrough(memory: vscode.Memento): vscode.Disposable {
  const store = new DisposableStore();
  const tickAll = () => {
    for (const step of Object.keys(steps) as WalkthroughStep[]) if (isDone(memory, step)) void tick(step);
  };
  const looks = LOOKS_MS.map((ms) => store.soon(ms, tickAll));
  const look = () => {
    if (isPageShown()) for (const soon of looks) soon();
  };
  store.add(vscode.window.tabGroups.onDidChangeTabs(look));
  look();
  return store;
}

/** One of VS Code's own pages, which extensions are not told apart: the walkthrough, the settings and others. */
function isPageShown(): boolean {
  return vscode.window.tabGroups.all.some(
    ({ activeTab }) => activeTab !== undefined && activeTab.input === undefined,
  );
}

/**
 * A key that is set already when VS Code reads a walkthrough ticks nothing, then or later: it has to become set
 * afterwards. So each is set for a moment only, as often as needed; without a listener this has no effect.
 */
async function tick(step: WalkthroughStep): Promise<void> {
  await executeBuiltIn('setContext', steps[step], true);
  await executeBuiltIn('setContext', steps[step], false);
}

function isDone(memory: vscode.Memento, step: WalkthroughStep): boolean {
  return memory.get(stepKey(step)) === true;
}

function stepKey(step: WalkthroughStep): string {
  return `modelBench.walkthrough.${step}`;
}
