import * as l10n from '@vscode/l10n';
import type { ModelContract } from '../../domain/model';
import { childPointer } from '../../domain/pointer';
import type { Problem } from '../../domain/problems';
import type { RunDraft } from '../../domain/run';
import { undeclaredMembers } from '../../forms/undeclared';
import type { ExperimentFile } from '../file/format';
import { type Variation, variedDraft, variedValues } from '../plan/grid';

/** A place in the request that an experiment fills, and where the file says so. */
interface FilledPlace {
  readonly place: string;
  readonly pointer: string;
}

/** In the order of filling: later values replace earlier ones. */
function filledPlaces({ vary = {}, over }: Pick<ExperimentFile, 'vary' | 'over'>): FilledPlace[] {
  const of = (places: object, parent: string) =>
    Object.keys(places).map((place) => ({ place, pointer: childPointer(parent, place) }));
  return [...of(vary, '/vary'), ...of(over?.map ?? {}, '/over/map'), ...of(mediaPlaces(over), '/over/media')];
}

/** Places that files of a table's cells go to. */
function mediaPlaces(over: ExperimentFile['over']): Readonly<Record<string, string>> {
  return over && 'rows' in over ? (over.media ?? {}) : {};
}

/** Places with values that are never sent, since the same place or one around it is filled after them. */
export function replacedPlaces(experiment: Pick<ExperimentFile, 'vary' | 'over'>): Problem[] {
  const places = filledPlaces(experiment);
  const { over } = experiment;
  const templates = over && 'rows' in over ? (over.templates ?? []) : [];
  // A template is filled where it is, before cells are put at their places.
  const replacedTemplates = templates.flatMap((place, at) => {
    const by = places.find((later) => !later.pointer.startsWith('/vary/') && isWithin(place, later.place));
    const pointer = childPointer('/over/templates', at);
    const text = l10n.t('{0} is also mapped: its text would never be sent. Remove one of both.', place);
    return by ? [{ pointer, message: text }] : [];
  });
  return [...replacedValues(places), ...replacedTemplates];
}

function replacedValues(places: readonly FilledPlace[]): Problem[] {
  return places.flatMap(({ place, pointer }, at) => {
    const by = places.slice(at + 1).find((later) => isWithin(place, later.place));
    if (!by) return [];
    const message =
      by.place === place
        ? l10n.t(
            '{0} is both varied and mapped: its varied values would never be sent. Remove one of both.',
            place,
          )
        : l10n.t(
            '{0} is replaced by {1}, so its values would never be sent. Remove one of both.',
            place,
            by.place,
          );
    return [{ pointer, message }];
  });
}

/** Values of one place that are looked at, and requests in all. */
const MOST_VALUES = 50;
const MOST_DRAFTS = 500;

/**
 * Places that a model of the experiment does not declare, by where the file fills them.
 * @param base the run that is varied
 */
export function undeclaredPlaces(
  experiment: Pick<ExperimentFile, 'run' | 'vary' | 'over'>,
  base: RunDraft,
  contracts: ReadonlyMap<string, ModelContract>,
): Problem[] {
  const places = filledPlaces(experiment);
  const problems = new Map<string, Problem>();
  let left = MOST_DRAFTS;
  for (const [model, contract] of contracts)
    for (const draft of filledDrafts(experiment, { ...base, model })) {
      if (left-- <= 0) return [...problems.values()];
      for (const { pointer, message } of undeclaredMembers(contract, draft)) {
        const filled = places.find(({ place }) => isWithin(place, pointer) || isWithin(pointer, place));
        const inRun = typeof experiment.run === 'string' ? '/run' : `/run${pointer}`;
        const at = filled?.pointer ?? inRun;
        if (!problems.has(`${at} ${message}`)) problems.set(`${at} ${message}`, { pointer: at, message });
      }
    }
  return [...problems.values()];
}

function isWithin(place: string, around: string): boolean {
  return `${place}/`.startsWith(`${around}/`);
}

/** The request with the first value of each place, then with each other value of one place. */
function* filledDrafts(
  { vary = {}, over }: Pick<ExperimentFile, 'vary' | 'over'>,
  base: RunDraft,
): Generator<RunDraft> {
  const values = Object.entries(vary)
    .filter(([place]) => place !== '/model')
    .map(([place, varied]) => [place, variedValues(varied).slice(0, MOST_VALUES)] as const);
  const mapped = Object.keys({ ...over?.map, ...mediaPlaces(over) }).map((place) => [place, ''] as const);
  const first: Variation = Object.fromEntries([
    ...values.flatMap(([place, [value]]) => (value === undefined ? [] : [[place, value] as const])),
    ...mapped,
  ]);
  yield variedDraft(base, first);
  // A plain value names no members.
  for (const [place, [, ...others]] of values)
    for (const value of others)
      if (place === '/mode' || typeof value === 'object')
        yield variedDraft(base, { ...first, [place]: value });
}
