import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readModel } from '../../../src/contracts/model';
import { words } from '../../../src/domain/words';
import { readSummary } from '../../../src/readers/catalog';
import { readCost } from '../../../src/readers/cost';
import { readError } from '../../../src/readers/error';
import { readList } from '../../../src/readers/list';
import { readRunResponse } from '../../../src/readers/run';
import { readMediaRef, readUploadTicket } from '../../../src/readers/upload';
import { readRetryAdvice } from '../../../src/service/retryAfter';
import { readActivity } from '../../support/atOnce';
import { root } from '../../support/paths';

const page = readFileSync(path.join(root, 'docs/service.md'), 'utf8').replaceAll(/\n {2}/g, ' ');

/** The `names` in the page between two pieces of its text. */
function between(from: string, to: string): string[] {
  const start = page.indexOf(from);
  const end = page.indexOf(to, start + from.length);
  assert.ok(start >= 0 && end > start, `the page has “${from}” … “${to}”`);
  return [...page.slice(start + from.length, end).matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
}

const at = (name: string, value: unknown): Record<string, unknown> => {
  const [first, ...rest] = name.split('.');
  return { [first!]: rest.length === 0 ? value : at(rest.join('.'), value) };
};

const raw = (json: unknown, status = 200, headers: Record<string, string> = {}) => ({
  status,
  contentType: 'application/json',
  headers,
  bytes: Buffer.from(JSON.stringify(json)),
  json,
});
const asked = new URL('https://models.test/api/runs');
const run = (json: unknown) => readRunResponse(raw(json), asked);

/** One test for all names of a place in the page: every one of them is read. */
function reads(what: string, names: readonly string[], read: (name: string) => unknown): void {
  it(`reads ${what}: ${names.length} names`, () => {
    assert.ok(names.length > 1, 'the page names them');
    assert.deepEqual(
      names.filter((name) => !read(name)),
      [],
    );
  });
}

describe('The list of names in docs/service.md', () => {
  const lists = 'entries records list rows content objects';
  reads('lists', [...between('up to two envelopes (', '); else'), ...words(lists)], (name) =>
    readList({ [name]: ['a'] }),
  );
  reads('envelopes of lists', words('page response result payload _embedded'), (name) =>
    readList({ [name]: { items: ['a'] } }),
  );
  const next = 'nextUrl nextLink nextPageUrl _links.next.href pagination.next';
  reads(
    'the next page',
    [...between('The next page is an address (', ', …, or `Link`'), ...words(next)],
    (name) => {
      const [address] = [readList({ items: [], ...at(name, '/api/marketplace/models?page=2') })?.next];
      return address === '/api/marketplace/models?page=2';
    },
  );
  reads(
    'a row',
    [...between('or an object with', '. Modes in it'), ...words('modelSlug modelId identifier name')],
    (name) => readSummary({ [name]: 'a-b' })?.slug,
  );
  reads(
    'groups',
    words('category group task owner publisher provider'),
    (name) => readSummary({ slug: 'a', [name]: 'g' })?.group,
  );
  reads(
    'modes',
    [...between('- Modes are under', '; a list with'), 'availableModes'],
    (name) => readModel({ slug: 'a', [name]: 'index, search' }, 'a')?.modes.length === 2,
  );
  const schema = { type: 'object', properties: { found: { type: 'string' } } };
  const inputs = 'inputContract requestSchema input schema_in arguments';
  reads('input', [...between('- Input is under', ', …, params under'), ...words(inputs)], (name) =>
    JSON.stringify(readModel({ slug: 'a', [name]: schema }, 'a')?.modes[0]?.input.schema).includes('found'),
  );
  const params = [...between(', …, params under', ', …. A shape is'), 'parametersSchema', 'params'];
  reads('params', params, (name) =>
    JSON.stringify(
      readModel({ slug: 'a', input: { text: 'string' }, [name]: schema }, 'a')?.modes[0]?.params.schema,
    ).includes('found'),
  );
  reads('cost', between("- A run's cost:", ', or inside'), (name) => readCost({ [name]: '0.25' }));
  reads('cost inside', between('`charged`, or inside', '. `total`'), (name) =>
    readCost({ [name]: { cost: '0.25' } }),
  );
  reads(
    'results',
    between('The result is under', ', or, beside'),
    (name) => run({ [name]: 'x' }).output === 'x',
  );
  reads(
    'finished',
    between('finished where its body says so (', ', …'),
    (word) => run({ status: word, output: 1 }).state === 'finished',
  );
  reads(
    'accepted',
    between('of an error message alone.', ' and `202`'),
    (word) => run({ status: word }).state === 'accepted',
  );
  reads(
    'failed',
    words('failed cancelled timeout errored expired'),
    (word) => run({ status: word }).state === 'failed',
  );
  reads('where to ask', between('`Operation-Location`,', ' and the like'), (name) => {
    const response = run({ status: 'queued', ...at(name, '/api/runs/1') });
    return response.followUrl === 'https://models.test/api/runs/1';
  });
  reads('upload addresses', between('- The address:', '; the identifier'), (name) =>
    readUploadTicket({ [name]: 'https://store.test/x', upload_id: '1' }),
  );
  reads('references', between('the reference:', '; also inside'), (name) => readMediaRef({ [name]: 'm-1' }));
  reads(
    'what an error says',
    between('The sentence is looked for in', ' (also FastAPI'),
    (name) => readError(raw(at(name, 'so it is'), 400)).serviceMessage === 'so it is',
  );
  const headers = [...page.slice(page.indexOf('| Header')).matchAll(/^\| (`[^|]+`) +\|/gm)];
  reads('activity', between('as the catalog is one, also under', '. Items that are no records'), (name) =>
    readActivity({ [name]: [{ id: 'run_1' }] }),
  );
  reads(
    'what belongs to a run',
    between('when it names its identifier (', ', else `id`)'),
    (name) => readActivity([{ [name]: 'run_1', id: 'entry_1' }])?.entries[0]?.ids[0] === 'run_1',
  );
  reads(
    'rate limits',
    headers.flatMap(([, cell]) => [...cell!.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!.toLowerCase())),
    (name) => (readRetryAdvice({ [name]: '7' }, Date.now())?.waitMs ?? 0) > 0,
  );
});
