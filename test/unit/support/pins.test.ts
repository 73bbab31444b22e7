import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../support/paths';
import { installTree, treeOf } from '../../support/runtime/install';
import { packed } from '../../support/tarball';

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

  describe('a package from a registry', () => {
    const archive = packed({
      'package.json': JSON.stringify({
        name: 'tool',
        version: '1.0.0',
        scripts: { install: "node -e \"require('fs').writeFileSync('ran','')\"" },
      }),
    });
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    const other = `sha512-${createHash('sha512').update('other').digest('base64')}`;
    let folder: string;
    let registry: Server;
    let before: string | undefined;

    beforeEach(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'mb-pins-'));
      const token = randomUUID();
      registry = createServer((request, response) => {
        if (!request.url?.startsWith(`/${token}/`)) return void response.writeHead(403).end();
        const base = `http://${request.headers.host}/${token}`;
        if (request.url?.endsWith('.tgz')) return void response.end(archive);
        const version = { name: 'tool', version: '1.0.0', dist: { tarball: `${base}/tool.tgz`, integrity } };
        response.setHeader('Content-Type', 'application/json');
        response.end(
          JSON.stringify({ name: 'tool', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }),
        );
      });
      await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
      before = process.env.npm_config_registry;
      process.env.npm_config_registry = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/${token}/`;
      process.env.npm_config_cache = path.join(folder, 'cache');
      mkdirSync(path.join(folder, 'into'));
    });
    afterEach(async () => {
      if (before === undefined) delete process.env.npm_config_registry;
      else process.env.npm_config_registry = before;
      delete process.env.npm_config_cache;
      registry.close();
      await rm(folder, { recursive: true, force: true });
    });

    const tree = (pinned: string) => {
      mkdirSync(path.join(folder, 'tools/tool'), { recursive: true });
      const dependencies = { tool: '1.0.0' };
      const packages = {
        '': { dependencies },
        'node_modules/tool': { version: '1.0.0', integrity: pinned, hasInstallScript: true },
      };
      const write = (file: string, value: object) =>
        writeFileSync(path.join(folder, 'tools/tool', file), JSON.stringify(value));
      write('package.json', { private: true, dependencies });
      write('package-lock.json', { name: 'tool', lockfileVersion: 3, requires: true, packages });
      return treeOf('tool', path.join(folder, 'tools'));
    };

    it('installs with its pinned hash, and does not run its scripts', async () => {
      await installTree(await tree(integrity), path.join(folder, 'into'));
      const installed = path.join(folder, 'into/node_modules/tool');
      assert.ok(existsSync(path.join(installed, 'package.json')));
      assert.ok(!existsSync(path.join(installed, 'ran')), 'the install script ran');
    });

    it('rejects another hash', async () => {
      await assert.rejects(installTree(await tree(other), path.join(folder, 'into')), /EINTEGRITY/);
    });
  });
});
