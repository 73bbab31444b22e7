import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../support/paths';

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<Record<string, Locked>>;
}

const tools = path.join(root, 'test/support/runtime/tools');

describe('Downloads of tests and demo', () => {
  it('pin exact versions, with a SHA-512 for every package of the whole tree', () => {
    const locks = globSync('*/*lock.json', { cwd: tools });
    assert.ok(locks.length >= 8);
    for (const file of locks) {
      const { packages } = JSON.parse(readFileSync(path.join(tools, file), 'utf8')) as Lock;
      for (const [place, { integrity, resolved }] of Object.entries(packages)) {
        if (place === '') continue;
        assert.match(integrity ?? '', /^sha512-[\w+/]{86}==$/, `${file}: ${place}`);
        assert.equal(resolved, undefined, `${file}: ${place} names a place of its own`);
      }
    }
    for (const file of globSync('*/package.json', { cwd: tools })) {
      const { dependencies, optionalDependencies } = JSON.parse(readFileSync(path.join(tools, file), 'utf8'));
      for (const version of Object.values({ ...dependencies, ...optionalDependencies }))
        assert.match(String(version), /^\d+\.\d+\.\d+$/, file);
    }
  });

  it('cover all tools of the project’s scripts and workflows, none by a version alone', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const commands = [
      ...Object.values(scripts),
      ...globSync(['.ci/*', '.github/workflows/*.yml'], { cwd: root }).map((file) =>
        readFileSync(path.join(root, file), 'utf8'),
      ),
    ];
    assert.ok(commands.length > 10);
    const unpinned = /\b(?:npx|npm exec|npm x|pnpm dlx|yarn dlx|bunx)\b|\bnpm (?:i|install|add)\b/;
    assert.deepEqual(
      commands.filter((command) => unpinned.test(command)),
      [],
    );
  });

  it('include the hashes of all packages that `npm ci` installs', () => {
    const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock;
    const without = Object.entries(packages).filter(
      ([place, { integrity }]) => place !== '' && !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''),
    );
    assert.deepEqual(without, []);
  });
});
