import { createHash } from 'node:crypto';
import type { Scenario } from './scenario';

export interface SimRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SimResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
}

/** The former content under an ID, and the present one; SHA-256. */
export interface Replaced {
  readonly id: string;
  readonly before: string;
  readonly now: string;
}

/** A run as the service knows it. */
export interface ServedRun {
  readonly scope: string;
  readonly ids: readonly string[];
  readonly hashes: readonly string[];
  /** Places of the items that it did not index. */
  readonly failed: readonly number[];
  readonly cents: number;
  /** False: it was accepted, charged, and came to nothing. */
  readonly isKept: boolean;
  /** Items that had another content under their IDs. */
  readonly replaced: readonly Replaced[];
}

export const KEY = 'key-of-the-simulation';
export const MODEL = 'image-similarity';

/** A model of the service: its data, and its requests. */
export class SimService {
  readonly baseUrl: string;
  readonly uploadOrigin: string;
  /** Scope → ID → SHA-256 of the indexed content. */
  readonly indexed = new Map<string, Map<string, string>>();
  readonly runs: ServedRun[] = [];
  cents = 0;
  /** Status of a run with an upload that it has forgotten. */
  expiredStatus = 400;
  readonly #uploads = new Map<string, { sha256?: string; bytes: string; isCorrupt: boolean }>();
  readonly #references = new Map<string, { sha256: string; isCorrupt: boolean }>();
  /** Of every reference that was ever given. */
  readonly #hashes = new Map<string, string>();
  #ids = 0;

  constructor(
    readonly place: number,
    private readonly scenario: Scenario,
  ) {
    this.baseUrl = `https://service-${place}.test`;
    this.uploadOrigin = scenario.uploadsTo === 'service' ? this.baseUrl : `https://uploads-${place}.test`;
  }

  forgetUploads(status: number): void {
    this.#references.clear();
    this.expiredStatus = status;
  }

  /** How many times the published price a run costs now. */
  get #times(): number {
    const { rise } = this.scenario;
    return rise && this.runs.length >= rise.from ? rise.times : 1;
  }

  /** Acts on a request that has arrived. */
  handle(request: SimRequest): SimResponse {
    const { pathname, origin } = request.url;
    if (pathname.startsWith('/upload/')) return this.#bytes(pathname.slice('/upload/'.length), request.body);
    if (origin !== this.baseUrl) return { status: 404 };
    if (request.headers['x-api-key'] !== KEY) return error(401, 'The API key is not known.');
    const body = JSON.parse(request.body || '{}') as Record<string, unknown>;
    switch (pathname) {
      case '/api/media/upload/init':
        return this.#init();
      case '/api/media/upload/complete':
        return this.#complete(String(body.upload_id));
      case '/api/runs':
        return this.run(body).response;
      default:
        return error(404, 'There is no such route.');
    }
  }

  /** @param isDropped it is charged and accepted, and comes to nothing */
  run(body: Record<string, unknown>, isDropped = false): { response: SimResponse; run?: ServedRun } {
    const { input, scope } = body as { input: Record<string, unknown[]>; scope: string };
    const { ids, isPanel } = this.itemsIn(body);
    const contents = isPanel ? this.#attached(input) : this.#contents(input);
    const unknown = contents.indexOf(undefined);
    if (unknown >= 0) return { response: error(this.expiredStatus, `images[${unknown}] is not known.`) };
    const known = contents as { sha256: string; isCorrupt: boolean }[];
    const bad = known.flatMap(({ isCorrupt }, i) => (isCorrupt && !isPanel ? [i] : []));
    if (bad.length > 0 && this.scenario.rejects !== 'item') {
      const named =
        this.scenario.rejects === 'batchNamed' ? `${ids[bad[0]!]} is corrupt.` : 'A file is corrupt.';
      return { response: error(422, named) };
    }
    const dataset = this.indexed.get(scope) ?? new Map<string, string>();
    if (!isPanel) this.indexed.set(scope, dataset);
    const hashes = known.map(({ sha256 }) => sha256);
    const kept = isDropped || isPanel ? [] : ids.flatMap((_, i) => (bad.includes(i) ? [] : [i]));
    const replaced = kept.flatMap((i): Replaced[] => {
      const [id, now] = [ids[i]!, hashes[i]!];
      const before = dataset.get(id);
      return before === undefined || before === now ? [] : [{ id, before, now }];
    });
    const run: ServedRun = {
      ...{ scope, ids, hashes, failed: bad, replaced },
      ...{ cents: ids.length * this.#times, isKept: !isDropped },
    };
    this.runs.push(run);
    this.cents += run.cents;
    for (const i of kept) dataset.set(ids[i]!, hashes[i]!);
    return { run, response: this.#finished(run) };
  }

  /** The items of a run, even if its uploads have been forgotten since. */
  itemsIn(body: Record<string, unknown>): {
    ids: string[];
    hashes: (string | undefined)[];
    isPanel: boolean;
  } {
    const { input, mode } = body as { input: Record<string, unknown[]>; mode?: string };
    // The text of a panel's run is its name.
    if (mode === 'execute') return { ids: [String(input.text)], hashes: [], isPanel: true };
    const ids = (input.image_ids ?? input.ids ?? []) as string[];
    const hashes =
      this.scenario.carries === 'text'
        ? (input.texts ?? []).map((text) => contentOf(String(text)).sha256)
        : (input.images ?? []).map((image) => this.#hashes.get((image as { media_ref: string }).media_ref));
    return { ids, hashes, isPanel: false };
  }

  #contents(input: Record<string, unknown[]>): ({ sha256: string; isCorrupt: boolean } | undefined)[] {
    if (this.scenario.carries === 'text') return (input.texts ?? []).map((text) => contentOf(String(text)));
    return (input.images ?? []).map((image) =>
      this.#references.get((image as { media_ref: string }).media_ref),
    );
  }

  #attached(input: Record<string, unknown>): ({ sha256: string; isCorrupt: boolean } | undefined)[] {
    const { image } = input as { image?: { media_ref: string } };
    return image ? [this.#references.get(image.media_ref)] : [];
  }

  #finished({ ids, failed, cents }: ServedRun): SimResponse {
    const { wording, namesCosts } = this.scenario;
    const cost = namesCosts && { cost: { amount: (cents / 100).toFixed(2), currency: 'USD' } };
    const run = { run_id: `run-${this.place}-${this.runs.length}`, status: 'succeeded', ...cost };
    const results = ids.map((image_id, i) =>
      failed.includes(i)
        ? { image_id, status: 'failed', error: 'The file is corrupt.' }
        : { image_id, status: 'indexed' },
    );
    if (failed.length > 0 || wording === 'results')
      return { status: 200, json: { ...run, output: { results } } };
    return { status: 200, json: wording === 'count' ? { ...run, output: { indexed: ids.length } } : run };
  }

  #init(): SimResponse {
    const id = `upload-${++this.#ids}`;
    this.#uploads.set(id, { bytes: '', isCorrupt: false });
    return { status: 200, json: { upload_id: id, upload_url: `${this.uploadOrigin}/upload/${id}` } };
  }

  #bytes(id: string, bytes: string): SimResponse {
    const upload = this.#uploads.get(id);
    if (!upload) return error(403, 'The address has expired.');
    Object.assign(upload, { bytes, ...contentOf(bytes) });
    return { status: 200 };
  }

  #complete(id: string): SimResponse {
    const { sha256, isCorrupt } = this.#uploads.get(id) ?? {};
    if (sha256 === undefined) return error(409, 'Nothing was uploaded.');
    const reference = `media-${this.place}-${id}-${sha256.slice(0, 8)}`;
    this.#hashes.set(reference, sha256);
    this.#references.set(reference, { sha256, isCorrupt: isCorrupt === true });
    return { status: 200, json: { media_ref: reference } };
  }
}

export function contentOf(bytes: string): { sha256: string; isCorrupt: boolean } {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), isCorrupt: bytes.startsWith('corrupt') };
}

function error(status: number, message: string): SimResponse {
  return { status, json: { error: { message } } };
}
