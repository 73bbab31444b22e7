import * as l10n from '@vscode/l10n';
import { documentedShape } from '../contracts/documentedShapes';
import { isOfOtherType, mediaTypeOf } from '../domain/media';
import {
  type ModeContract,
  type ModelContract,
  type ModelSummary,
  modeOf,
  type Shape,
} from '../domain/model';
import { isNamedFor, type PayloadShape, payloadShape, type VectorUse } from './payload';

/** A vector-backed mode, and how its request takes files. */
export interface VectorMode {
  readonly contract: ModelContract;
  readonly mode: ModeContract;
  readonly shape: PayloadShape;
}

/** The model's mode for a use, if it has one that takes files. */
export function vectorMode(contract: ModelContract, use: VectorUse): VectorMode | undefined {
  const known = withUndeclaredModes(contract);
  const candidates = known.modes.filter(({ name, vectorBacked }) => vectorBacked || name === use);
  const mode =
    candidates.find(({ name }) => name === use) ?? candidates.find(({ name }) => isNamedFor(name, use));
  const shape = mode && payloadShape(mode);
  return mode && shape && { contract: known, mode, shape };
}

/**
 * A model that publishes no modes may have those of section 2.1: the user asked for one, and the service decides. A
 * contract that declares modes is returned unchanged.
 */
export function withUndeclaredModes(contract: ModelContract): ModelContract {
  if (contract.modesDeclared) return contract;
  const params: Shape = { schema: true, origin: 'unknown' };
  const added = (['index', 'search'] as const).flatMap((name): ModeContract[] => {
    const input = documentedShape(name);
    const isKnown = modeOf(contract, name) !== undefined;
    return input === undefined || isKnown ? [] : [{ name, vectorBacked: true, input, params, examples: [] }];
  });
  return { ...contract, modes: [...contract.modes, ...added] };
}

/** Of a model that was asked for by its name, or chosen. */
export function noModeText(name: string, use: VectorUse): string {
  return use === 'index'
    ? l10n.t('{0} has no mode that indexes files. Choose another model.', name)
    : l10n.t('{0} has no mode that searches with a file. Choose another model.', name);
}

/** Of a model that had it before. @throws where the model has no mode for this use */
export function requiredMode(contract: ModelContract, use: VectorUse): VectorMode {
  const mode = vectorMode(contract, use);
  if (mode) return mode;
  throw new Error(
    use === 'index'
      ? l10n.t(
          '{0} no longer has a mode that indexes files. Refresh the catalog to see its modes.',
          contract.name,
        )
      : l10n.t(
          '{0} no longer has a mode that searches. Refresh the catalog to see its modes.',
          contract.name,
        ),
  );
}

/** Whether a file is certainly of another kind than a mode takes. */
export function isOfOtherKind(
  file: { readonly contentType: string; readonly filename: string },
  { accept, carries }: PayloadShape,
): boolean {
  if (!isOfOtherType(file, accept)) return false;
  // JSON, Markdown and similar files are text too, with any MIME type.
  return carries === 'media' || mediaTypeOf(file.contentType) !== 'file';
}

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
