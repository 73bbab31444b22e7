import assert from 'node:assert/strict';
import { readArguments } from '../../../src/cli/arguments';
import { UsageError } from '../../../src/commands/usageError';

const service = ['--base-url', 'https://s.test'];
const experiment = ['experiment', 'a.experiment.json', ...service, '--max-cost', '5'];
const index = ['index', 'pictures', ...service, '--scope', 's', '--model', 'm', '--max-cost', '1.25'];

/** Of the arguments, those that a call names. */
function partOf(words: readonly string[], expected: object): object {
  const read = readArguments(words) as object as Record<string, unknown>;
  return Object.fromEntries(Object.keys(expected).map((name) => [name, read[name]]));
}

const READ: readonly (readonly [words: readonly string[], expected: object])[] = [
  [['check', 'a', 'b'], { command: 'check', files: ['a', 'b'], baseUrl: undefined, maxCost: undefined }],
  [
    ['run', 'a', ...service, '--junit', 'j', '--json', 'k', '--key-command', 'pass'],
    { command: 'run', files: ['a'], junit: 'j', json: 'k', keyCommand: 'pass', baseUrl: 'https://s.test' },
  ],
  [['merge', 'out', 'a', 'b'], { command: 'merge', out: 'out', files: ['a', 'b'] }],
  [
    experiment,
    {
      ...{
        command: 'experiment',
        file: 'a.experiment.json',
        maxCost: { amount: '5' },
        shard: undefined,
        thresholds: [],
      },
      ...{ retryFailed: false, retryUnconfirmed: false, acceptUnconfirmed: false, runDeleted: false },
      ...{
        fetchMedia: false,
        unreadable: undefined,
        checkDrift: undefined,
        notWorseThan: undefined,
        allowNewColumns: false,
      },
    },
  ],
  [
    [
      ...[...experiment, '--retry-failed', '--retry-unconfirmed', '--accept-unconfirmed', '--run-deleted'],
      ...['--fetch-media', '--shard', '3/3', '--results', 'r', '--state', 't'],
    ],
    {
      ...{ retryFailed: true, retryUnconfirmed: true, acceptUnconfirmed: true, runDeleted: true },
      ...{ fetchMedia: true, shard: { number: 3, of: 3 }, results: 'r', state: 't' },
    },
  ],
  [
    [
      ...[...experiment, '--fail-below', 'accuracy=0.9', '--fail-above', 'cost=-1.5'],
      ...['--fail-if-worse-than', 'main', '--allow-new-columns', '--report', 'r.HTML'],
    ],
    {
      thresholds: [
        { metric: 'accuracy', operator: '>=', value: 0.9 },
        { metric: 'cost', operator: '<=', value: -1.5 },
      ],
      ...{ notWorseThan: 'main', allowNewColumns: true, report: 'r.HTML' },
    },
  ],
  [[...experiment, '--check-drift', '20'], { checkDrift: 20 }],
  [['experiment', 'a', '--figures'], { file: 'a', figuresOnly: true, baseUrl: undefined }],
  [
    ['models', 'text', 'similar', ...service],
    { command: 'models', text: 'text similar', json: false, baseUrl: 'https://s.test' },
  ],
  [['describe', 'a', 'b', ...service, '--json'], { command: 'describe', models: ['a', 'b'], json: true }],
  [['wallet', ...service], { command: 'wallet', json: false }],
  [
    ['search', 'f.png', ...service, '--scope', 's', '--model', 'm'],
    { command: 'search', file: 'f.png', scope: 's', model: 'm' },
  ],
  [
    [...index, '--shard', '1/2', '--retry-failed', '--state', 't', '--results', 'r'],
    {
      ...{ command: 'index', paths: ['pictures'], scope: 's', model: 'm', maxCost: { amount: '1.25' } },
      ...{ folder: process.cwd(), shard: { number: 1, of: 2 }, state: 't', results: 'r' },
      ...{ retryFailed: true, retryUnconfirmed: false },
    },
  ],
  [
    ['mcp', ...service, '--root', 'a', '--root', 'b', '--max-cost', '2'],
    { command: 'mcp', roots: ['a', 'b'], maxCost: { amount: '2' }, window: undefined },
  ],
];

const WRONG: readonly (readonly [words: readonly string[], says: RegExp])[] = [
  [[], /The first word must be/],
  [['dance', 'a'], /The first word must be/],
  [['check'], /Name at least one run file/],
  [['check', 'a', '--no-such'], /no-such/],
  [['run', 'a'], /base-url/],
  [['run', 'a', 'b', ...service], /needs --max-cost/],
  [['run', 'a', ...service, '--max-cost', '1 2'], /must be an amount/],
  [['run', 'a', ...service, '--max-cost=-1'], /must be an amount/],
  [['run', 'a', ...service, '--max-cost', 'much'], /must be an amount/],
  [['merge', 'out'], /at least one results file/],
  [['merge'], /at least one results file/],
  [['mcp', 'a', ...service], /takes no name/],
  [['mcp'], /base-url/],
  [['experiment', ...service, '--max-cost', '1'], /takes one experiment file/],
  [[...experiment, 'b'], /takes one experiment file/],
  ...['0/3', '4/3', '1', 'a/b', '1/'].map((shard) => [[...experiment, '--shard', shard], /--shard/] as const),
  ...['--fail-below=accuracy=1', '--fail-above=cost=1', '--fail-if-worse-than=main'].map(
    (gate) => [[...experiment, '--shard', '1/2', gate], /A shard has a part of the results only/] as const,
  ),
  ...['--fail-below=accuracy=1', '--fail-above=cost=1', '--fail-if-worse-than=main', '--shard=1/2'].map(
    (other) => [[...experiment, '--check-drift', '5', other], /a check of its own/] as const,
  ),
  ...['0', '12345', 'x'].map(
    (count) => [[...experiment, '--check-drift', count], /number of inputs/] as const,
  ),
  ...['accuracy', 'accuracy=', 'accuracy=high', '=1'].map(
    (word) => [[...experiment, '--fail-below', word], /a metric and a number/] as const,
  ),
  [[...experiment, '--report', 'r.pdf'], /ends in \.html or \.md/],
  [['models'], /base-url/],
  [['models', ...service, '--scope', 's'], /belong to “search”/],
  [['wallet', ...service, '--model', 'm'], /belong to “search”/],
  [['wallet', 'a', ...service], /takes no name/],
  [['describe', ...service], /needs the name of a model/],
  [['search', ...service, '--scope', 's', '--model', 'm'], /takes one file/],
  [['search', 'a', 'b', ...service, '--scope', 's', '--model', 'm'], /takes one file/],
  [['search', 'a', ...service, '--model', 'm'], /needs --scope and --model/],
  [['search', 'a', ...service, '--scope', 's'], /needs --scope and --model/],
  [index.filter((word) => !word.startsWith('--base') && word !== service[1]), /base-url/],
  [['index', ...index.slice(2)], /needs a file or a folder/],
  [['index', 'a', ...service, '--model', 'm', '--max-cost', '1'], /needs --scope and --model/],
  [['index', 'a', ...service, '--scope', 's', '--max-cost', '1'], /needs --scope and --model/],
  [['index', 'a', ...service, '--scope', 's', '--model', 'm'], /needs --max-cost/],
  [['models', ...service, '--max-cost', '1'], /max-cost/],
];

describe('The words of a call of the command line', () => {
  for (const [words, expected] of READ)
    it(`become a call: ${words.join(' ')}`, () => assert.deepEqual(partOf(words, expected), expected));

  for (const [words, says] of WRONG)
    it(`lead to a message when they are wrong: ${words.join(' ') || 'none'}`, () =>
      assert.throws(
        () => readArguments(words),
        (error: Error) => error instanceof UsageError && says.test(error.message),
      ));

  it('ask for help and for the version, of any command', () => {
    for (const words of [['--help'], ['-h'], ['run', '--help'], ['models', '-h'], ['index', '--help']])
      assert.equal(readArguments(words), 'help', words.join(' '));
    assert.equal(readArguments(['--version']), 'version');
  });
});
