import assert from 'node:assert/strict';
import { toShown } from '../../../src/wording/shownContract';
import { contractOf, modeWith } from '../../support/runFiles/contract';

const REVERSED = 'Free model \u202e99.999$\u200b';
const SHOWN = 'Free model [U+202E]99.999$[U+200B]';

describe('The texts of a contract', () => {
  it('show marks of direction on pages, and leave the sent values unchanged', () => {
    const schema = { type: 'object', properties: { a: { title: REVERSED, enum: [REVERSED] } } };
    const mode = { ...modeWith(schema), title: REVERSED, description: REVERSED };
    const contract = { ...contractOf(mode), name: REVERSED, tags: [REVERSED], group: REVERSED };
    const shown = toShown(contract);
    const { name, group, tags, modes } = shown;
    assert.deepEqual(
      [name, group, ...tags, modes[0]!.title, modes[0]!.description],
      [SHOWN, SHOWN, SHOWN, SHOWN, SHOWN],
    );
    assert.deepEqual(modes[0]!.input, mode.input);
    assert.equal('raw' in shown, false);
  });

  it('keep letters, line ends and emoji', () => {
    const text = 'Modèle 日本 👩‍🔬\nשלום';
    assert.equal(toShown({ ...contractOf(modeWith({})), name: text }).name, text);
  });
});
