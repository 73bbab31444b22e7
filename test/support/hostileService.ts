import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { type FaultProxy, type SeenRequest, type StubResponse, startFaultProxy } from './faultProxy';
import { hostileText } from './hostileText';

/** A service that tries, in each response, to act on its user; `foreign` sees the lured requests. */
export interface HostileService {
  readonly url: string;
  readonly apiKey: string;
  /** The title of its one model that can be run. */
  readonly model: string;
  /** Answers to runs; the newest run got the last of these that were given. */
  readonly runAnswers: readonly string[];
  readonly runs: number;
  /** Requests that followed an address of a response. */
  readonly lured: readonly SeenRequest[];
  close(): Promise<void>;
}

/** Uses every way out that VS Code's window and a page know. */
const markupTo = (foreign: string) =>
  `[Renew it here](command:hostWatch.act) [site](${foreign}/link "t") $(trash) ![p](${foreign}/picture.png) ` +
  `<img src="${foreign}/img.png" onerror="fetch('${foreign}/ran')"> <a href="command:hostWatch.act">now</a>\u202e`;

const HITS = 'hits that lead outside';

/** @param generated how many answers to runs are made of generated texts */
export async function startHostileService(generated: number): Promise<HostileService> {
  const apiKey = 'mb-hostile-key';
  const foreign = await startFaultProxy({ behind: () => ({ body: 'lured' }) });
  const markup = markupTo(foreign.url);
  const answers = [...chosenAnswers(foreign.url, markup), ...generatedAnswers(generated, markup)];
  const hits = answers.find(({ name }) => name === HITS)!;
  const names = fc.sample(hostileText, { numRuns: 60, seed: 14 });
  let runs = 0;
  let lastInput = '';

  const respond = ({ method, path, headers, body }: SeenRequest): StubResponse => {
    if (path.startsWith('/upload/')) return { status: 200, body: '' };
    if (headers['x-api-key'] !== apiKey)
      return { status: 403, body: { error: { message: `Your key has expired. ${markup}` } } };
    if (method === 'POST' && path === '/api/runs') {
      lastInput = body.toString();
      if (lastInput.includes('"mode":"search"')) return hits.respond(lastInput, apiKey);
      if (lastInput.includes('"mode":"index"'))
        return { body: { status: 'completed', message: markup, path: '/etc/passwd' } };
      const answer = answers[runs % answers.length]!;
      runs += 1;
      return answer.respond(lastInput, String(headers['x-api-key']));
    }
    if (path === '/api/media/upload/init')
      return {
        body: {
          upload_id: markup,
          upload_url: `${service.url}/upload/1`,
          headers: { Host: 'x', 'X-API-Key': 'x', '@file': '/etc/passwd' },
        },
      };
    if (path === '/api/media/upload/complete') return { body: { media_ref: `ref ${markup}` } };
    if (path.startsWith('/api/marketplace/models/')) return { body: detail(markup) };
    if (path.startsWith('/api/marketplace/models'))
      return {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          data: [
            { slug: 'target', name: 'Target', description: markup, modes: ['execute', 'index', 'search'] },
            ...names.map((name, at) => ({
              slug: `m${at}`,
              name,
              description: name,
              tags: [name],
              task: name,
            })),
            { slug: 'constructor', name: markup },
          ],
          next: `${foreign.url}/api/marketplace/models?page=2`,
        }).replace('"constructor"', '"__proto__"'),
      };
    if (path.startsWith('/api/billing/wallet'))
      return { body: { balance: `12.00 ${markup}`, currency: markup, name: markup } };
    return {
      body: {
        items: names.map((name) => ({
          id: name,
          model: name,
          cost: name,
          created_at: name,
          message: markup,
        })),
        message: markup,
      },
    };
  };

  const service: FaultProxy = await startFaultProxy({ behind: respond });
  return {
    url: service.url,
    apiKey,
    model: 'Target',
    runAnswers: answers.map(({ name }) => name),
    get runs() {
      return runs;
    },
    lured: foreign.seen,
    async close() {
      await service.close();
      await foreign.close();
    },
  };
}

interface Answer {
  readonly name: string;
  readonly respond: (request: string, apiKey: string) => StubResponse;
}

/** The contract of the model: every text of it tries to act; its patterns and references try to hold the host. */
function detail(markup: string): object {
  const input_schema = {
    type: 'object',
    title: markup,
    description: markup,
    $defs: { loop: { $ref: '#/$defs/loop' }, a: { allOf: [{ $ref: '#/$defs/a' }] } },
    properties: {
      text: {
        type: 'string',
        title: 'Text',
        description: markup,
        pattern: '^(([a-z ])+.)+[A-Z]([a-z ])+$',
        examples: [markup],
      },
      choice: { enum: [markup, 'b', '__proto__', 'constructor'], title: markup },
      looped: { $ref: '#/$defs/loop' },
      again: { $ref: '#/$defs/a' },
      constructor: { type: 'string' },
    },
  };
  const media = { type: 'object', properties: { media_ref: { type: 'string' } }, required: ['media_ref'] };
  return {
    slug: 'target',
    name: 'Target',
    description: `${markup}\n\n${'> '.repeat(2000)}${'['.repeat(2000)}`,
    modes: {
      execute: { description: markup, input_schema, params_schema: { type: 'object', properties: {} } },
      index: {
        vector_backed: true,
        input_schema: {
          type: 'object',
          required: ['images', 'image_ids'],
          properties: {
            images: { type: 'array', items: media },
            image_ids: { type: 'array', items: { type: 'string' } },
          },
        },
      },
      search: {
        vector_backed: true,
        input_schema: { type: 'object', required: ['image'], properties: { image: media } },
      },
    },
  };
}

const json = { 'content-type': 'application/json' };

function chosenAnswers(foreign: string, markup: string): Answer[] {
  const paths = [
    '../../../../etc/passwd',
    '..\\..\\secret',
    'C:\\secret',
    '/etc/passwd',
    'file:///etc/passwd',
  ];
  const hits = [...paths, 'a\u0000b', '__proto__', markup];
  const always = (name: string, response: StubResponse): Answer => ({ name, respond: () => response });
  return [
    always('a status that names a member of every object', {
      body: { status: 'constructor', output: markup },
    }),
    always('members named __proto__', {
      headers: json,
      body: '{"__proto__":{"status":"failed"},"status":"succeeded","output":{"__proto__":{"label":"x"},"label":"y"}}',
    }),
    always('a small body that unpacks to 60 MB', {
      headers: { ...json, 'content-encoding': 'gzip' },
      body: gzipSync(`[${'[],'.repeat(20_000_000)}[]]`),
    }),
    always('a body packed twice', {
      headers: { ...json, 'content-encoding': 'gzip, gzip' },
      body: gzipSync(gzipSync('a'.repeat(20_000_000))),
    }),
    always('4 million lists in one another', { headers: json, body: '['.repeat(4_000_000) }),
    always('2 million lists beside one another', {
      headers: json,
      body: `{"output":[${'[],'.repeat(2_000_000)}[]]}`,
    }),
    always('8 MB of one text', { headers: json, body: JSON.stringify({ output: markup.repeat(20_000) }) }),
    always('a redirect elsewhere', { status: 307, headers: { location: `${foreign}/redirect` } }),
    always('a page of HTML', {
      status: 500,
      headers: { 'content-type': 'text/html' },
      body: `<h1>${markup}</h1>`,
    }),
    always('a refusal with markup', { status: 403, body: { error: { message: markup } } }),
    {
      name: 'a refusal that repeats the input',
      respond: (request) => ({
        status: 422,
        headers: { 'x-request-id': request.slice(0, 500).replaceAll(/[^ -~]/g, '') },
        body: { detail: request },
      }),
    },
    {
      name: 'a refusal that repeats the key',
      respond: (_request, key) => ({
        status: 400,
        body: { message: `no ${encodeURIComponent(key)} ${Buffer.from(key).toString('base64')}` },
      }),
    },
    always('a text with markup', {
      body: { status: 'succeeded', output: { text: markup, markdown: `# ${markup}` } },
    }),
    always(HITS, { body: { results: hits.map((id, at) => ({ id, score: 1 / (at + 1), text: markup })) } }),
    always('media at addresses of the machine', {
      body: {
        output: ['http://169.254.169.254/latest/meta-data', 'file:///etc/passwd', `${foreign}/media.png`].map(
          (url) => ({ url, content_type: 'image/png' }),
        ),
      },
    }),
    always('malformed data URIs', {
      body: {
        output: [
          'data:text/html,<script>1</script>',
          'data:image/png,%E0%A4%A',
          'data:image/svg+xml,<svg onload="fetch(1)"/>',
        ],
      },
    }),
    always('an SVG with a script', {
      headers: { 'content-type': 'image/svg+xml' },
      body: `<svg xmlns="http://www.w3.org/2000/svg"><script>fetch('${foreign}/svg')</script></svg>`,
    }),
    always('a job elsewhere', {
      status: 202,
      headers: { location: `${foreign}/job` },
      body: { status: 'queued', status_url: `${foreign}/job`, id: markup },
    }),
    always('numbers that are none', {
      headers: json,
      body: '{"output":{"scores":[1e999,-0,123456789012345678901234567890,1e-400]},"cost":"NaN","billing":{"cost":1e308}}',
    }),
    always('a table of formulas', {
      body: { output: Array(2).fill({ a: '=cmd|calc', b: '@SUM(1)', c: markup }) },
    }),
    always('headers with markup', {
      headers: {
        'x-ratelimit-limit': '9'.repeat(400),
        'retry-after': '9'.repeat(400),
        'x-request-id': markup.replaceAll(/[^ -~]/g, ''),
      },
      body: { output: 'ok' },
    }),
    always('nothing', { status: 200, headers: json, body: '' }),
  ];
}

function generatedAnswers(count: number, markup: string): Answer[] {
  const key = fc.constantFrom(
    ...'status output results error message label score __proto__ constructor url id cost'.split(' '),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      hostileText,
      fc.double(),
      fc.constant(markup),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 5 }),
      fc.dictionary(fc.oneof(key, hostileText), tie('any'), { maxKeys: 6 }),
    ),
  })).any;
  const status = fc.constantFrom(200, 200, 200, 201, 400, 404, 409, 500, 502);
  return fc.sample(fc.tuple(status, value), { numRuns: count, seed: 14 }).map(([code, body], at) => ({
    name: `generated ${at}`,
    respond: () => ({ status: code, headers: json, body: JSON.stringify(body) ?? 'null' }),
  }));
}
