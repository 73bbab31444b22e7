import type { RunDraft } from '../../../src/domain/run';

/** A request to the model "judge". */
export const judgeDraft = (input: object): RunDraft => ({
  model: 'judge',
  mode: 'execute',
  params: {},
  input: input as RunDraft['input'],
});
