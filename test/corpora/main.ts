import { readModel } from '../../src/contracts/model';
import { isObject, type UnknownObject } from '../../src/domain/value';
import { compileSchema } from '../../src/forms/schema/compile';
import { flatten } from '../../src/forms/schema/flatten';
import { threadTime } from '../support/countedWork';
import { checkCells } from './cells';
import { addressFieldsOf } from './fileFields';
import { printOfficialSuite } from './officialSuite';
import { printRealFiles } from './realFiles';
import { CORPORA, type Corpus, fetched, type Published } from './sources';

// Public contracts in bulk: each is read unchanged, and again inside four layers with decoys beside it.

/** A defect of a contract; empty when there is none. */
type Shortfall = 'no schema' | 'fields missing' | 'references lost' | 'other form in layers' | 'slow';

const MOST_MS = 50;
const NAMED = 8;

interface Reading {
  readonly fields: readonly string[];
  readonly form: string;
  readonly lost: boolean;
  readonly described: boolean;
}

/** The form's fields of the first mode. */
function read(detail: unknown): Reading {
  const shape = readModel(detail, 'asked')?.modes[0]?.input;
  const described = shape?.origin === 'declared' || shape?.origin === 'fields';
  const schema = shape?.schema ?? true;
  const compiled = compileSchema(schema);
  const root = described ? flatten(compiled, compiled.root, undefined).node : {};
  return {
    fields: isObject(root.properties) ? Object.keys(root.properties) : [],
    form: JSON.stringify(schema),
    lost: compiled.notes.some((note) => note.includes('which it refers to')),
    described,
  };
}

/** The detail inside four layers, beside values that are no contract of this model. */
function layered({ detail }: Published): UnknownObject {
  const { slug: _slug, ...contract } = detail;
  const decoys = {
    output_schema: { type: 'object', properties: { url: { type: 'string' } } },
    examples: [{ input: { words: 'x' } }],
    related: [{ slug: 'other', input_schema: { type: 'object', properties: { other: {} } } }],
  };
  return {
    slug: 'asked',
    ...decoys,
    data: { ...decoys, model: { ...decoys, release: [{ spec: contract }] } },
  };
}

function shortfallOf(published: Published, reading: Reading, ms: number): Shortfall | undefined {
  if (!reading.described) return 'no schema';
  if (published.fields.some((name) => !reading.fields.includes(name))) return 'fields missing';
  if (reading.lost) return 'references lost';
  if (read(layered(published)).form !== reading.form) return 'other form in layers';
  return ms > MOST_MS ? 'slow' : undefined;
}

async function measure(corpus: Corpus): Promise<void> {
  const folder = await fetched(corpus);
  const publishers = new Set<string>();
  const short = new Map<Shortfall, string[]>();
  const times: number[] = [];
  const takingFiles: string[] = [];
  const others: string[] = [];
  const changed: string[] = [];
  let equal = 0;
  for (const published of corpus.read(folder)) {
    publishers.add(published.publisher);
    const ms = threadTime(() => readModel(published.detail, 'asked'));
    const contract = readModel(published.detail, 'asked');
    const cells = contract && checkCells(contract);
    equal += cells?.equal ?? 0;
    changed.push(...(cells?.changed ?? []).map((cell) => `${published.name}: ${cell}`));
    times.push(ms);
    const addresses = addressFieldsOf(published, corpus.addressesAreFiles === true);
    takingFiles.push(...addresses.takingFiles);
    others.push(...addresses.others);
    const shortfall = shortfallOf(published, read(published.detail), ms);
    if (shortfall) short.set(shortfall, [...(short.get(shortfall) ?? []), published.name]);
  }
  // The clock of a thread may tick in milliseconds: a mean says more than a median.
  const mean = times.reduce((sum, ms) => sum + ms, 0) / Math.max(1, times.length);
  const missed = [...short.values()].reduce((sum, names) => sum + names.length, 0);
  const whole = times.length === 0 ? 0 : (100 * (times.length - missed)) / times.length;
  console.log(`\n## ${corpus.name} (${corpus.package}, licence: ${corpus.licence})\n`);
  console.log('| contracts | publishers | read whole | mean | slowest |');
  console.log('| --------- | ---------- | ---------- | ---- | ------- |');
  console.log(
    `| ${times.length} | ${publishers.size} | ${whole.toFixed(1)}% | ${mean.toFixed(2)} ms | ${Math.max(0, ...times).toFixed(0)} ms |`,
  );
  for (const [shortfall, names] of short) console.log(`\n${shortfall}: ${names.length}${listed(names)}`);
  console.log(`\nfields that a cell of CSV fills: ${equal} of ${equal + changed.length}${listed(changed)}`);
  const all = takingFiles.length + others.length;
  const wrong = corpus.addressesAreFiles ? others : takingFiles;
  const said = corpus.addressesAreFiles ? 'addresses of files that take none' : 'addresses that take files';
  if (all > 0) console.log(`\n${said}: ${wrong.length} of ${all}${listed(wrong)}`);
}

function listed(names: readonly string[]): string {
  return names
    .slice(0, NAMED)
    .map((name) => `\n- ${name}`)
    .join('');
}

/** @param wanted words of the names of corpora; none: all */
export async function main(wanted: readonly string[]): Promise<number> {
  const isWanted = (name: string) =>
    wanted.length === 0 || wanted.some((word) => name.toLowerCase().includes(word.toLowerCase()));
  const chosen = CORPORA.filter(({ name }) => isWanted(name));
  for (const corpus of chosen) await measure(corpus);
  const withSuite = isWanted('JSON-Schema-Test-Suite');
  if (withSuite) printOfficialSuite();
  const withFiles = isWanted('files');
  if (withFiles) await printRealFiles();
  return chosen.length > 0 || withSuite || withFiles ? 0 : 1;
}
