import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { root } from '../../test/support/paths';
import { type Measure, timed } from '../measure';

const BYTES = 2 ** 30;
const programs = ['uploadServer', 'uploadOurs', 'uploadBare'] as const;
const run = promisify(execFile);

/** One large file to a server that keeps nothing, each upload in a process of its own. */
export const upload: Measure = {
  name: 'upload',
  what: 'MB/s and peak memory of 1 GiB / bare node:http with a file stream; MB/s / curl -T',
  goals: [
    { figure: 'speed', label: 'MB/s / node:http', unit: '', atLeast: 0.9 },
    { figure: 'memory', label: 'peak memory / node:http', unit: '', atMost: 1.2 },
    {
      ...{ figure: 'curl', label: 'MB/s / curl -T', unit: '', atLeast: 0.9 },
      missedBecause: 'Node.js reads and sends in two threads, which share two processors with the server',
    },
    { figure: 'mbps', label: 'speed', unit: 'MB/s' },
    { figure: 'mb', label: 'peak memory', unit: 'MB' },
  ],
  pairs: 15,
  async prepare({ folder }) {
    // Bundled and split as the extension is, so that the processes are of its kind.
    await build({
      entryPoints: programs.map((name) => path.join(root, `bench/support/${name}.ts`)),
      ...{ bundle: true, splitting: true, platform: 'node', format: 'esm', outdir: folder, minify: true },
      outExtension: { '.js': '.mjs' },
      banner: {
        js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
      },
      logLevel: 'error',
    });
    const program = (name: (typeof programs)[number]) => path.join(folder, `${name}.mjs`);
    const file = path.join(folder, 'big.bin');
    // Sparse: read like any other file, at the speed of memory, and it fills no disk.
    writeFileSync(file, '');
    truncateSync(file, BYTES);
    const server = spawn(process.execPath, [program('uploadServer')], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [url] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
    const measured = async (name: 'uploadOurs' | 'uploadBare') => {
      const { stdout } = await run(process.execPath, [program(name), url, file]);
      return JSON.parse(stdout) as { seconds: number; peakKb: number };
    };
    const curl = async () =>
      (await timed(() => run('curl', ['--fail', '--silent', '--output', '-', '-T', file, `${url}/put`]))) /
      1_000;
    return {
      async pair() {
        const bare = await measured('uploadBare');
        const ours = await measured('uploadOurs');
        const curled = await curl();
        return {
          speed: bare.seconds / ours.seconds,
          memory: ours.peakKb / bare.peakKb,
          curl: curled / ours.seconds,
          mbps: BYTES / 1e6 / ours.seconds,
          mb: ours.peakKb / 1_000,
        };
      },
      async close() {
        const ended = once(server, 'exit');
        server.stdin.end();
        await ended;
      },
    };
  },
};
