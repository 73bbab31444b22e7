import assert from 'node:assert/strict';
import { parse } from 'jsonc-parser';
import { withEntry } from '../../../src/agents/clients';

describe('The entry for other agents', () => {
  const entry = { command: '/a b/bin/model-bench', args: ['mcp', '--window', '/a b/win"dows\\x'] };
  const json = { path: '/x', format: 'json' } as const;
  const toml = { path: '/x', format: 'toml' } as const;

  it('goes into a JSON file, and leaves the rest of its text unchanged', () => {
    const before = '{\n  // mine\n  "theme": "dark",\n  "mcpServers": { "other": { "command": "x" } },\n}\n';
    const after = withEntry(json, before, entry)!;
    assert.ok(after.includes('// mine') && after.includes('"theme": "dark"'));
    assert.deepEqual(parse(after, [], { allowTrailingComma: true }), {
      ...{ theme: 'dark', mcpServers: { other: { command: 'x' }, 'model-bench': entry } },
    });
    assert.equal(withEntry(json, after, entry), after);
    for (const empty of [undefined, '', ' \n'])
      assert.deepEqual(JSON.parse(withEntry(json, empty, entry)!), { mcpServers: { 'model-bench': entry } });
  });

  it('stays out of files that have another one, or that it could break', () => {
    const other = '{ "mcpServers": { "model-bench": { "command": "mine" } } }';
    assert.equal(withEntry(json, other, entry), undefined);
    for (const before of [
      '[mcp_servers]\nmodel-bench = { command = "x" }\n',
      'mcp_servers.model-bench.command = "x"\n',
      'mcp_servers = { other = { command = "x" } }\n',
      'mcp_servers.other.command = "x"\n',
      '[[mcp_servers]]\nname = "x"\n',
      '[ mcp_servers . "model-bench" ]\ncommand = "x"\n',
    ])
      assert.equal(withEntry(toml, before, entry), undefined, before);
  });

  it('goes to the end of a TOML file once', () => {
    for (const before of [
      undefined,
      '',
      'model = "x"',
      'model = "x"\n',
      '[mcp_servers.other]\ncommand = "x"\n\n',
    ]) {
      const after = withEntry(toml, before, entry)!;
      assert.ok(after.startsWith(before ?? ''));
      assert.match(
        after,
        /(^|\n\n)\[mcp_servers\.model-bench\]\ncommand = "\/a b\/bin\/model-bench"\nargs = \[/,
      );
      assert.equal(withEntry(toml, after, entry), undefined);
    }
  });
});
