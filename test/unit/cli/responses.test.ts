import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutResponses } from '../../../src/cli/responses';
import type { Terminal } from '../../../src/cli/terminal';
import { UsageError } from '../../../src/commands/usageError';
import { responseMappingOf, useResponseMappings } from '../../../src/domain/responseMapping';

describe('The option --responses', () => {
  let folder: string;
  before(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), 'mapping-'));
  });
  after(() => fs.rm(folder, { recursive: true }));
  afterEach(() => useResponseMappings(() => undefined));

  async function wordsLeft(content: string, form: (file: string) => string[]) {
    const file = join(folder, 'm.json');
    await fs.writeFile(file, content);
    const warned: string[] = [];
    const out = { warn: (line: string) => warned.push(line) } as unknown as Terminal;
    return { left: await withoutResponses(['wallet', ...form(file), '--json'], out), warned };
  }
  const apart = (file: string) => ['--responses', file];

  it('applies the mapping of a file to the call, and prints which one', async () => {
    const wallet = { balance: '/konto/stand' };
    for (const [content, form] of [
      [{ wallet }, apart],
      [{ wallet }, (file: string) => [`--responses=${file}`]],
      [{ 'https://models.example.com/': { wallet } }, apart],
    ] as const) {
      const { left, warned } = await wordsLeft(JSON.stringify(content), form);
      assert.deepEqual(left, ['wallet', '--json']);
      assert.match(warned.join(), /read by the mapping of “.*m\.json”/);
      assert.deepEqual(responseMappingOf('https://models.example.com')?.wallet, wallet);
    }
  });

  it('rejects a file that has no mapping', async () => {
    for (const content of ['{', '[]', '{"run":{"poll":"https://b.example/{id}"}}', '{"runs":{}}'])
      await assert.rejects(wordsLeft(content, apart), UsageError, content);
    const out = {} as Terminal;
    await assert.rejects(withoutResponses(['--responses'], out), /needs a file/);
    await assert.rejects(withoutResponses(['--responses', join(folder, 'none')], out), /cannot be read/);
  });
});
