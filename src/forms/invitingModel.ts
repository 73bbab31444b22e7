import { compareAmounts } from '../domain/amounts';
import type { JsonObject } from '../domain/json';
import type { MediaObject } from '../domain/media';
import type { ModelContract } from '../domain/model';
import { initialInput } from './buildForm';
import { checkDraft } from './checkDraft';
import type { Field } from './fieldTypes';
import { inputWith } from './inputPlaces';

/** A price in words, or none, is taken for a high one. */
const UNKNOWN_PRICE = '1000000000';

/** A model with a request that can run unchanged. */
export interface InvitingModel {
  readonly contract: ModelContract;
  readonly mode: string;
  readonly input: JsonObject;
  readonly params: JsonObject;
  readonly hasImage: boolean;
}

/**
 * Of these models one that can run right after it opens: one that takes an image before others, one that is no index
 * (its own result is a vector) before one that is, a cheaper one before a dearer one.
 *
 * @param image a JPEG to fill in
 */
export function mostInviting(
  contracts: readonly ModelContract[],
  image: MediaObject,
): InvitingModel | undefined {
  const ready = contracts.flatMap((contract) => readyModel(contract, image) ?? []);
  return ready.sort(
    (a, b) =>
      Number(b.hasImage) - Number(a.hasImage) ||
      Number(isIndex(a.contract)) - Number(isIndex(b.contract)) ||
      compareAmounts(priceOf(a.contract), priceOf(b.contract)),
  )[0];
}

function isIndex({ modes }: ModelContract): boolean {
  return modes.some(({ vectorBacked }) => vectorBacked);
}

function readyModel(contract: ModelContract, image: MediaObject): InvitingModel | undefined {
  const mode = contract.modes.find(({ vectorBacked }) => !vectorBacked);
  if (!mode) return undefined;
  const [example] = mode.examples;
  const { input, params } = example ?? {
    input: initialInput(mode.input.schema),
    params: initialInput(mode.params.schema),
  };
  const withImage = inputWith(
    mode,
    { kind: 'file', media: image, contentType: 'image/jpeg' },
    { input, isPlace: isImageAskedFor },
  );
  const hasImage = withImage !== undefined;
  const filled = withImage ?? input;
  const draft = { model: contract.slug, mode: mode.name, input: filled, params };
  // A model that starts with an empty form does not invite a first run.
  if ((!example && !hasImage) || checkDraft(contract, draft).length > 0) return undefined;
  return { contract, mode: mode.name, input: filled, params, hasImage };
}

/** An optional image would change the model's result. */
function isImageAskedFor(field: Field): boolean {
  const takesImages = (field.kind === 'media' || field.kind === 'mediaList') && field.accept.length > 0;
  return takesImages && (field.required || field.value !== undefined);
}

function priceOf({ price, modes }: ModelContract): string {
  return modes[0]?.price?.money?.amount ?? price?.money?.amount ?? UNKNOWN_PRICE;
}
