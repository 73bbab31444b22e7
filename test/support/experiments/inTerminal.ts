import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readResults } from '../atOnce';
import { callHere, type Finished } from '../commandLine';
import { type FaultProxy, type StubResponse, startFaultProxy } from '../faultProxy';

export interface ModelRequest {
  readonly model: string;
  readonly text: string;
}

/**
 * An experiment, `try.experiment.json` in a folder of its own, and a service whose models of any name take a text and a
 * hint.
 */
export class ExperimentInTerminal {
  private constructor(
    readonly folder: string,
    readonly service: FaultProxy,
  ) {}

  static async start(respond: (request: ModelRequest) => StubResponse): Promise<ExperimentInTerminal> {
    const folder = await mkdtemp(path.join(tmpdir(), 'model-bench-experiment-'));
    const service = await startFaultProxy({
      behind: ({ path: route, body }) => {
        const slug = /models\/(\w+)$/.exec(route)?.[1];
        if (slug !== undefined)
          return {
            body: {
              slug,
              input_schema: { type: 'object', properties: { text: { type: 'string' }, hint: {} } },
            },
          };
        const { model, input } = JSON.parse(body.toString()) as { model: string; input: { text: string } };
        return respond({ model, text: input.text });
      },
    });
    return new ExperimentInTerminal(folder, service);
  }

  async close(): Promise<void> {
    await this.service.close();
    await rm(this.folder, { recursive: true });
  }

  put(name: string, value: object | string): Promise<void> {
    return writeFile(path.join(this.folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  }

  /** Texts that all have the label "cat". */
  putRows(texts: readonly (string | number)[]): Promise<void> {
    return this.put('rows.csv', `text,label\n${texts.map((text) => `${text},cat\n`).join('')}`);
  }

  /** The experiment over these rows. */
  putExperiment(more: object): Promise<void> {
    return this.put('try.experiment.json', {
      run: { model: 'one', input: {} },
      over: { rows: 'rows.csv', map: { '/input/text': 'text' } },
      expected: { column: 'label', at: '/label' },
      metrics: ['accuracy'],
      ...more,
    });
  }

  read(name: string): Promise<string> {
    return readFile(path.join(this.folder, name), 'utf8');
  }

  async results(): Promise<ReturnType<typeof readResults>> {
    return readResults(await this.read('try.results.jsonl'));
  }

  /** A later word replaces an earlier one of the same option. */
  words(...more: readonly string[]): string[] {
    return [
      ...['experiment', 'try.experiment.json', '--base-url', this.service.url, '--max-cost', '100'],
      ...['--state', path.join(this.folder, 'state'), ...more],
    ];
  }

  call(...more: readonly string[]): Promise<Finished> {
    return callHere(this.words(...more), { cwd: this.folder, apiKey: 'key' });
  }
}
