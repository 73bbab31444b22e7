import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Json } from '../../domain/json';
import { isMediaObject, localRefs } from '../../domain/media';
import { valueText } from '../../domain/words';
import { readBody } from '../../experiments/files/bodies';
import { gridRuns } from '../../experiments/plan/plan';
import { addressesIn } from '../../experiments/results/mediaKeeper';
import { type ResultLine, resultFiles } from '../../experiments/results/resultLine';
import { joinedResult } from '../../experiments/results/resultMedia';
import { resultPlaces } from '../../experiments/results/resultsFile';
import { offeredParts } from '../../experiments/setup/comparedParts';
import { blindOrder } from '../../experiments/table/blindOrder';
import { hitStrip, measuredRank } from '../../experiments/table/hitStrip';
import { expectedText, rowName } from '../../experiments/table/itemTexts';
import { measureRun } from '../../experiments/table/measureRun';
import { shownDifferences } from '../../experiments/table/numberDifferences';
import type { CellRun } from '../../experiments/table/table';
import { shownLine } from '../../experiments/table/tableCell';
import { ratingText, shownVerdicts } from '../../experiments/table/verdictTexts';
import { bodyJson } from '../../intake/bodyContent';
import { bodyText } from '../../intake/bodyText';
import { contentTypeOf } from '../../intake/contentType';
import { jsonText } from '../../platform/jsonText';
import { shortened, textLines } from '../../platform/longTexts';
import type { PageResult } from '../../platform/resultHost';
import type { ResultOrigin, ResultViews } from '../../platform/resultViews';
import type { CellDetail, ShownNumberDifferences } from '../../protocol/experiment';
import { resultSource } from '../../results/resultSource';
import { formatDuration } from '../../wording/duration';
import { formatMoney } from '../../wording/money';
import { formatNumber } from '../../wording/number';
import { visibleText } from '../../wording/plainText';
import { oddValuesText } from '../../wording/runStates';
import type { CellText } from './compareCells';
import { type HitFileOf, withPictures } from './hitFileOf';
import type { ShownTable } from './shownTable';

interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** Hits of a row's column beside the table. */
const MOST_HITS = 50;

/** A larger result file is offered as a file only. */
const MOST_SHOWN_BYTES = 64_000_000;

/** The cells that are open beside the table: their runs with full results, and their requests. */
export class CellResults {
  /** Results that were opened, by the ID of their run. */
  readonly #opened = new Map<string, PageResult>();

  constructor(
    private readonly shown: () => Promise<ShownTable>,
    private readonly file: vscode.Uri,
    private readonly views: ResultViews,
    private readonly hitFileOf: HitFileOf,
    /** IDs of runs that the service has accepted. */
    private readonly accepted: () => Promise<ReadonlySet<string>>,
  ) {}

  find(id: string): PageResult | undefined {
    return this.#opened.get(id);
  }

  /** @param blind see `TableQuery` */
  async detail(row: number, column: number, blind?: number): Promise<CellDetail> {
    const shown = await this.shown();
    const { table } = shown.source;
    const item = table.plan.items[row];
    const variation = table.plan.variations[column];
    if (!item || !variation) throw new Error(l10n.t('This cell is no longer in the table.'));
    const { columns } = shown.titles;
    const request = this.#request(shown, row, column);
    const attachments = request ? localRefs(request as unknown as Json) : [];
    const runs = table.runs(row, column);
    const strips = await this.#strips(shown, row, blind);
    const compare = offeredParts(shown.source, { row, column });
    return {
      compare,
      title: [rowName(item), columns[column]!.name].filter(Boolean).join(' · '),
      inputs: shown.inputs(item).map((input, index) => ({
        ...input,
        text: fullText(Object.values(item.values)[index]) ?? input.text,
      })),
      ...expectedText(item.expected),
      ...(strips.columns.length > 0 && { strips }),
      runs: await Promise.all(
        runs.map((run) => this.#run(shown, { row, column }, run, attachments, resultOrigin(shown, request))),
      ),
      ...(request && { request: JSON.stringify(request, null, 2) }),
    };
  }

  /** The hits of a row in each column. */
  async #strips(shown: ShownTable, row: number, blind?: number): Promise<Strips> {
    const { table, metrics } = shown.source;
    const columns = Array.from({ length: table.columns }, async (_, column) => {
      const line = shownLine(table, table.finished(row, column));
      const hits = line ? hitStrip(table, line, row, MOST_HITS) : [];
      return { column, hits: await withPictures(shown, column, hits, this.hitFileOf) };
    });
    const all = await Promise.all(columns);
    const withHits = all.filter(({ hits }) => hits.length > 0);
    const pool = blind === undefined ? [] : pooled(withHits, blind, row);
    return { rank: measuredRank(metrics), columns: withHits, pool };
  }

  /** The results of all runs of a cell, for a comparison: without IDs and times, which differ between any two. */
  async text({ row, column }: CellPlace): Promise<CellText> {
    const { title, runs } = await this.detail(row, column);
    const outcomes = runs.map(({ state, reason, result }) => ({
      state,
      reason,
      result: result === undefined ? null : readable(this.find(result)?.source().output),
    }));
    const text = jsonText(outcomes.length === 1 ? outcomes[0] : outcomes);
    return { title, text: shortened(text) };
  }

  /** The numbers of two cells that differ, those of the first places. */
  async numberDifferences(first: CellPlace, second: CellPlace): Promise<ShownNumberDifferences> {
    const shown = await this.shown();
    const [one, other] = await Promise.all([first, second].map((place) => this.#results(shown, place)));
    return shownDifferences(one!, other!, shown.locale);
  }

  async #results(shown: ShownTable, { row, column }: CellPlace): Promise<Json[]> {
    const { table } = shown.source;
    const lines = table.finished(row, column);
    const file = this.#fileOf(shown, column);
    const values = await Promise.all(lines.map((line) => this.#value(line, file)));
    return values.flatMap(({ value }) => (value instanceof Uint8Array ? [] : ((value ?? []) as Json)));
  }

  #request({ source: { loaded } }: ShownTable, row: number, column: number) {
    return (loaded ? gridRuns(loaded.plan) : []).find(({ serves }) =>
      serves.some(({ variation, item }) => variation === column && item === row),
    )?.request;
  }

  async #run(
    shown: ShownTable,
    place: CellPlace,
    { customId, repeat, line }: CellRun,
    attachments: readonly string[],
    of: ResultOrigin,
  ): Promise<CellDetail['runs'][number]> {
    if (!line) return { repeat, state: 'missing', facts: [] };
    const result = await this.#open(customId, line, attachments, {
      of,
      file: this.#fileOf(shown, place.column),
      fileOf: (id) => this.hitFileOf(shown, place.column, id),
    });
    const picture = shown.picture(line, place.column);
    return {
      repeat,
      state: line.state,
      facts: [
        ...cellFacts(line),
        ...measuredFacts(shown, place, line),
        ...oddFacts(line),
        ...addressFacts(line),
      ],
      picture,
      ...(result && { result: customId }),
      ...(line.state === 'unconfirmed' && { isAccepted: (await this.accepted()).has(customId) }),
      ...reasonOf(line),
      ...judgementsOf(shown, place.row, line),
    };
  }

  async #open(
    customId: string,
    line: ResultLine,
    attachments: readonly string[],
    { of, file, fileOf }: Pick<PageResult, 'fileOf'> & { readonly of: ResultOrigin; readonly file: string },
  ): Promise<PageResult | undefined> {
    const { value, contentType } = await this.#value(line, file);
    if (value === undefined) return undefined;
    const attachmentTypes = attachments.map((address) => contentTypeOf(posix.basename(address)));
    const opened: PageResult = {
      ...this.views.show(of, (views) => resultSource(value, { contentType, attachmentTypes, views })),
      // Media of other hosts is loaded over https only: which service a line is of is not known here.
      baseUrl: 'https://results.invalid',
      contentType,
      attachments,
      fileOf,
    };
    this.#opened.set(customId, opened);
    return opened;
  }

  #fileOf(shown: ShownTable, column: number): string {
    return shown.fileOf(column) ?? resultPlaces(this.file.fsPath).file;
  }

  /** The whole result: of its line, of its files, or of both. @param file absolute path of the results file */
  async #value(line: ResultLine, file: string): Promise<{ value: unknown; contentType: string }> {
    const json = 'application/json';
    const { result } = line;
    const [first, ...others] = resultFiles(line);
    if (first === undefined) return { value: result, contentType: json };
    const value = await this.#fileContent(file, first);
    const isMedium = value instanceof Uint8Array;
    if (isMedium && (result === undefined || typeof result === 'string'))
      return { value, contentType: contentTypeOf(first) };
    // Of a long result with a missing file, the short parts are left.
    const whole = isMedium ? result : (value ?? result);
    if (typeof whole === 'string') return { value: whole, contentType: contentTypeOf(first) };
    let joined = whole as Json | undefined;
    for (const name of isMedium ? [first, ...others] : others) {
      const medium = name === first ? value : await this.#fileContent(file, name);
      if (joined !== undefined && medium instanceof Uint8Array)
        joined = joinedResult(joined, contentTypeOf(name), medium);
    }
    return { value: joined, contentType: json };
  }

  /** The content of a result's file: JSON, text, or bytes. Only those of its folder are read. */
  async #fileContent(file: string, name: string): Promise<unknown> {
    const bytes = await readBody(file, name, MOST_SHOWN_BYTES);
    if (!bytes) return undefined;
    const type = contentTypeOf(name);
    const json = type === 'application/json' ? bodyJson(bytes, type) : undefined;
    if (json !== undefined) return json;
    const isText = type === 'application/json' || type.startsWith('text/');
    return isText ? bodyText(bytes, type) : new Uint8Array(bytes);
  }
}

type Strips = NonNullable<CellDetail['strips']>;

/** The IDs of the hits of all columns, those that are not judged first, in an order that tells nothing. */
function pooled(columns: Strips['columns'], seed: number, row: number): string[] {
  const hits = new Map(columns.flatMap((column) => column.hits.map((hit) => [hit.id, hit] as const)));
  const order = blindOrder([...hits.values()], seed, row).map(({ id }) => id);
  const isJudged = (id: string) => hits.get(id)!.judged !== undefined;
  return [...order.filter((id) => !isJudged(id)), ...order.filter(isJudged)];
}

/** A long text by its lines, so that a comparison shows which differ; no bytes. */
function readable(output: unknown): unknown {
  if (typeof output === 'string') return textLines(output);
  return output instanceof Uint8Array ? { bytes: output.length } : (output ?? null);
}

/** The model and mode of a cell's results; of an unknown request, those of no model. */
function resultOrigin(
  { source: { environment } }: ShownTable,
  request: { readonly model: string; readonly mode?: string } | undefined,
): ResultOrigin {
  const { model = '', mode = 'execute' } = request ?? {};
  return { baseUrl: environment?.baseUrl ?? '', model, mode };
}

/** Judgements of models and people about a run. */
function judgementsOf({ source, locale }: ShownTable, row: number, line: ResultLine) {
  const { table, metrics, rater = '' } = source;
  const ratings = table.ratings(line.custom_id);
  const { note } = ratings.get(rater) ?? {};
  const others = [...ratings].filter(([by]) => by !== rater);
  const verdicts = shownVerdicts(table, metrics, line, row, locale);
  return {
    ...(verdicts.length > 0 && {
      verdicts: verdicts.map(({ text, raw }) => ({ text, raw })),
    }),
    ...(others.length > 0 && {
      ratings: others.map(([by, rating]) => visibleText(ratingText(by, rating, locale))),
    }),
    note,
  };
}

/** Why there is no result that counts. */
function reasonOf({ state, reason }: ResultLine): { readonly reason?: string } {
  if (state === 'finished') return {};
  if (reason !== undefined) return { reason };
  return state === 'failed' ? { reason: l10n.t('Failed') } : {};
}

function cellFacts({ cost, duration_ms: ms, started_at: started, environment, run_id: id }: ResultLine) {
  const { language } = vscode.env;
  const fact = (name: string, value: string | undefined) => (value === undefined ? [] : [{ name, value }]);
  return [
    ...fact(l10n.t('cost'), cost && formatMoney(cost, language)),
    ...fact(l10n.t('time'), ms === undefined ? undefined : formatDuration(ms, language)),
    ...fact(l10n.t('started'), started),
    ...fact(l10n.t('environment'), environment),
    ...fact(l10n.t('run'), id),
  ];
}

function oddFacts({ odd_values: isOdd }: ResultLine) {
  return isOdd ? [{ name: l10n.t('note:'), value: oddValuesText() }] : [];
}

/** Why pictures of a result are addresses only. */
function addressFacts(line: ResultLine) {
  const isNamed = line.media_problem !== undefined || addressesIn(line).length > 0;
  if (!isNamed) return [];
  const reason = line.media_problem ?? l10n.t('The result names them by address, which may expire.');
  return [{ name: l10n.t('files not kept:'), value: reason }];
}

/** The metrics of one run, measured as in the table's head and in exports. */
function measuredFacts(
  { source: { table, metrics }, locale }: ShownTable,
  place: CellPlace,
  line: ResultLine,
) {
  return metrics.flatMap((metric) => {
    // Judgements of models are shown by themselves, with their answers.
    const value = 'judge' in metric ? undefined : measureRun(table, place, line, metric);
    return value === undefined ? [] : { name: metric.name, value: formatNumber(value, locale) };
  });
}

/** The whole text of an input, up to the limit of a page's message; undefined for media. */
function fullText(value: Json | undefined): string | undefined {
  if (value === undefined || isMediaObject(value)) return undefined;
  return valueText(value, 2).slice(0, 100_000);
}
