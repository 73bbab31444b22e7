import assert from 'node:assert/strict';
import { keepEvidence } from '../support/evidence';
import { type OpenOptions, VSCode } from '../support/vscode';

/** A window that is opened before the tests of a suite, and closed after them. */
export interface Journey {
  /** Only inside a test or a hook. */
  readonly vscode: VSCode;
}

/**
 * For use at the top of a `describe`: one fresh VS Code for its tests, which follow one another in it. A test
 * that fails leaves a picture, the steps in words and the logs in out/journeys (see evidence.ts), and so does a
 * hook that fails before the first test; errors of the extension in the console fail the suite.
 */
export function useVSCode(options: OpenOptions = {}): Journey {
  let vscode: VSCode | undefined;
  before('opens a window', async () => {
    vscode = await VSCode.open({ host: 'any', ...options });
  });
  let hadTests = false;
  beforeEach(() => {
    hadTests = true;
  });
  after('closes the window, which had no errors of ours', async function () {
    if (!hadTests && vscode) await keepEvidence(vscode, `${this.test?.parent?.fullTitle()} before its tests`);
    const errors = vscode?.errors ?? [];
    // A failure in a window is not left to the next one.
    const hasFailed = this.test?.parent?.tests.some(({ state }) => state === 'failed');
    const isWell = hadTests && !hasFailed && errors.length === 0;
    await (isWell ? vscode?.leave() : vscode?.[Symbol.asyncDispose]());
    assert.deepEqual(errors, []);
  });
  return {
    get vscode() {
      assert.ok(vscode, 'the window is opened by a hook, before the first test');
      return vscode;
    },
  };
}
