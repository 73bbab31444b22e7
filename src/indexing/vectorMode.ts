import * as l10n from '@vscode/l10n';
import { isAccepted, mediaTypeOf } from '../domain/media';
import type { ModeContract, ModelContract } from '../domain/model';
import { type PayloadShape, payloadShape } from './payload';

/** A vector-backed mode, and how its request takes files. */
export interface VectorMode {
  readonly contract: ModelContract;
  readonly mode: ModeContract;
  readonly shape: PayloadShape;
}

/** What a mode does with a dataset. Contracts may name their modes differently ("index_text"). */
export type VectorUse = 'index' | 'search';

/** The model's mode for a use, if it has one that takes files. */
export function vectorMode(contract: ModelContract, use: VectorUse): VectorMode | undefined {
  const pattern = use === 'index' ? /index|insert|upsert|ingest/i : /search|query|similar|find/i;
  const candidates = contract.modes.filter(({ name, vectorBacked }) => vectorBacked || name === use);
  const mode =
    candidates.find(({ name }) => name === use) ?? candidates.find(({ name }) => pattern.test(name));
  const shape = mode && payloadShape(mode);
  return mode && shape && { contract, mode, shape };
}

/** @throws where the model has no mode for this use */
export function requiredMode(contract: ModelContract, use: VectorUse): VectorMode {
  const found = vectorMode(contract, use);
  if (found) return found;
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

/** Whether a file is certainly of another kind than a mode takes. An unknown type may be anything. */
export function isOfOtherKind(contentType: string, { accept, carries }: PayloadShape): boolean {
  const kind = mediaTypeOf(contentType);
  if (kind === undefined || isAccepted(contentType, accept)) return false;
  // JSON, Markdown and similar files are text too, whatever their MIME type.
  return carries === 'media' || kind !== 'file';
}
