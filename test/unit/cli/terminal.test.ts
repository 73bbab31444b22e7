import assert from 'node:assert/strict';
import { terminal } from '../../../src/cli/terminal';

describe('The terminal of the command line', () => {
  function open(isTTY: boolean, columns?: number) {
    const written: string[] = [];
    const stream = (name: string) =>
      ({
        ...{ isTTY, columns },
        write: (text: string) => written.push(`${name} ${JSON.stringify(text)}`),
      }) as unknown as NodeJS.WriteStream;
    return { written, shown: terminal(stream('out'), stream('err')) };
  }
  const CLEAR = 'err "\\r\\u001b[K"';

  it('shows progress in one line, which goes before the next', () => {
    const { written, shown } = open(true);
    shown.progress('1 of 2');
    shown.progress('2 of 2');
    shown.print('done');
    shown.print('all');
    shown.progress('again');
    shown.warn('careful');
    shown.progress('last');
    shown.printJson({ a: 1 });
    assert.deepEqual(written, [
      ...['err "1 of 2"', CLEAR, 'err "2 of 2"', CLEAR, 'out "done\\n"', 'out "all\\n"'],
      ...['err "again"', CLEAR, 'err "careful\\n"', 'err "last"', CLEAR],
      written.at(-1)!,
    ]);
    assert.match(written.at(-1)!, /^out .*\\"a\\": ?1.*\\n"$/);
  });

  it('cuts progress below the width of the window, of which the least is 21', () => {
    const lengthIn = (columns?: number) => {
      const { written, shown } = open(true, columns);
      shown.progress('x'.repeat(200));
      return written[0]!.length - 'err ""'.length;
    };
    assert.deepEqual([lengthIn(40), lengthIn(5), lengthIn()], [39, 20, 79]);
  });
});
