import { build, type Metafile } from 'esbuild';
import { root } from '../support/paths';

type Inputs = Metafile['inputs'];

/** The imports of these files and of all that they import, file by file. Paths are relative to the root. */
export async function importsOf(entries: readonly string[]): Promise<Inputs> {
  const { metafile } = await build({
    // One bundle: one for each test would print the shared code many times.
    stdin: { contents: entries.map((entry) => `import './${entry}';`).join('\n'), resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    loader: { '.css': 'empty', '.ttf': 'empty' },
    logLevel: 'error',
  });
  return metafile.inputs;
}

/** A file and all that it imports, directly or not. */
export function reachedFrom(file: string, inputs: Inputs): ReadonlySet<string> {
  const reached = new Set([file]);
  // A loop over a set includes files that are added meanwhile.
  for (const one of reached)
    for (const { external, path } of inputs[one]?.imports ?? []) if (!external) reached.add(path);
  return reached;
}
