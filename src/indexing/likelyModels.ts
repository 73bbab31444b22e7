import type { ModelSummary } from '../domain/model';
import { isNamedFor, type VectorUse } from './vectorMode';

/**
 * How likely a model can index files, or search with one, by the names of its modes. The detail decides: a list that
 * names such a mode of no model says nothing of any.
 *
 * @param learned the modes that a model's detail declared; undefined: it was not read yet
 */
export function modelLikelihood(
  models: readonly ModelSummary[],
  use: VectorUse,
  learned: (slug: string) => readonly string[] | undefined,
): (model: ModelSummary) => 'yes' | 'maybe' | 'unlikely' {
  const has = (names: readonly string[]) => names.some((name) => isNamedFor(name, use));
  const listTells = models.some(({ slug, modeNames }) => learned(slug) === undefined && has(modeNames));
  return ({ slug, modeNames }) => {
    const known = learned(slug);
    if (has(known ?? modeNames)) return 'yes';
    if (known !== undefined) return 'unlikely';
    return modeNames.length === 0 || !listTells ? 'maybe' : 'unlikely';
  };
}
