import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PaidRunLock } from '../../src/platform/paidRunLock';

const production = { name: 'prod', baseUrl: 'https://prod.test' };

describe('Paid runs of an environment that modelBench.confirmPaidRuns names', () => {
  const { showWarningMessage } = vscode.window;
  const settings = () => vscode.workspace.getConfiguration('modelBench');
  let questions: string[];
  let answers: boolean[];

  beforeEach(async () => {
    [questions, answers] = [[], []];
    const show = async (question: string, options: vscode.MessageOptions, yes: vscode.MessageItem) => {
      questions.push(question);
      assert.equal(options.modal, true);
      return answers.shift() ? yes : undefined;
    };
    Object.assign(vscode.window, { showWarningMessage: show });
    await settings().update('confirmPaidRuns', ['prod'], vscode.ConfigurationTarget.Global);
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showWarningMessage });
    await settings().update('confirmPaidRuns', undefined, vscode.ConfigurationTarget.Global);
  });

  it('need one confirmation, with name and address, for runs that begin together', async () => {
    const lock = new PaidRunLock();
    answers = [true];
    await Promise.all(Array.from({ length: 8 }, () => lock.require(production)));
    await lock.require(production);
    assert.equal(questions.length, 1);
    assert.match(questions[0]!, /“prod” \(https:\/\/prod\.test\)/);
  });

  it('stop until they are allowed', async () => {
    const lock = new PaidRunLock();
    answers = [false, true];
    await assert.rejects(lock.require(production), { kind: 'budgetReached' });
    await lock.require(production);
    assert.equal(questions.length, 2);
  });

  it('need another confirmation for a changed address, and none in other environments', async () => {
    const lock = new PaidRunLock();
    answers = [true, true];
    await lock.require(production);
    await lock.require({ ...production, baseUrl: 'https://moved.test' });
    await lock.require({ name: 'staging', baseUrl: 'https://staging.test' });
    assert.equal(questions.length, 2);
  });
});
