import * as l10n from '@vscode/l10n';
import { localMedia } from '../../domain/media';
import type { ModelContract } from '../../domain/model';
import type { RunDraft } from '../../domain/run';
import type { Estimates } from '../../runs/estimates/estimates';
import { type AlikeRuns, costOfRuns, costText } from '../expectedCosts';
import { runCount, variationsOf } from '../grid';
import { sizeText } from '../table/sizeText';
import type { SetUpMembers } from './members';

/** The prices from which a setup's cost follows. */
export interface SetupPrices {
  readonly contracts: ReadonlyMap<string, ModelContract>;
  readonly baseUrl: string;
  readonly estimates: Pick<Estimates, 'of'>;
}

/**
 * The size of a setup: "3 models × 4 values × 50 files × 2 repeats = 1,200 runs, about $2.40; 1 model has no
 * published price". The plan of the experiment may have fewer runs: unreadable rows are not sent.
 * @param items files or rows, and how many of them differ; 1 where the run goes over none
 * @param locale BCP 47
 * @throws GridTooLarge
 */
export function setupText(
  draft: RunDraft,
  members: SetUpMembers,
  items: { readonly all: number; readonly distinct: number },
  { contracts, baseUrl, estimates }: SetupPrices,
  locale?: string,
): string {
  const variations = variationsOf(members.vary).length;
  const inputs = members.sample?.inputs;
  const repeats = members.repeats ?? 1;
  const distinct = Math.min(items.distinct, inputs ?? items.distinct);
  const runs = runCount({ variations, items: distinct, repeats });
  const sampled = inputs === undefined || inputs >= items.distinct ? items.all : inputs;
  const alike = alikeRuns(draft, members, runs);
  const size = sizeText(shownMembers(members), { all: items.all, sampled }, runs, locale);
  const cost = runs === 0 ? undefined : costText(costOfRuns(alike, contracts, baseUrl, estimates), locale);
  return cost === undefined ? size : l10n.t('{0}, {1}', size, cost);
}

/** Of a table or folder, each input is a run: a grid without values has only those. */
function shownMembers({ vary, over, repeats }: SetUpMembers) {
  return {
    ...(vary && { vary }),
    ...(over && { over }),
    ...(repeats !== undefined && { repeats }),
  };
}

/** Models take turns, so each has the same number of runs, but for one. */
function alikeRuns(draft: RunDraft, { vary, over }: SetUpMembers, runs: number): AlikeRuns[] {
  const named = vary?.['/model'];
  const models = Array.isArray(named) ? named.map(String) : [draft.model];
  const uses: readonly string[] = Object.values(over?.map ?? {});
  const ofRows = over && 'rows' in over ? Object.keys(over.media ?? {}).length : 0;
  const files = over && 'files' in over ? uses.filter((use) => use === 'file').length : ofRows;
  const media = localMedia(draft.input).length + files;
  return models.map((model, index) => ({
    ...{ model, mode: draft.mode, media },
    runs: Math.floor(runs / models.length) + Number(index < runs % models.length),
  }));
}
