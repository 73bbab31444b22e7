import { asMoney } from '../billing/money';
import { readWhole } from '../billing/period';
import { notFound } from '../http/errors';
import { alwaysFails } from './alwaysFails';
import { audioInspector } from './audioInspector';
import { colourPalette } from './colourPalette';
import { laterEcho, slowEcho, unpublished } from './echo';
import { formShowcase } from './formShowcase';
import { imageDescription } from './imageDescription';
import { imageSimilarity } from './imageSimilarity';
import { languageId } from './languageId';
import type { ModelMode, SandboxModel } from './model';
import { sentiment } from './sentiment';
import { textSimilarity } from './textSimilarity';
import { wordStatistics } from './wordStatistics';

const MODELS: readonly SandboxModel[] = [
  imageSimilarity,
  imageDescription,
  colourPalette,
  languageId,
  sentiment,
  textSimilarity,
  wordStatistics,
  audioInspector,
  formShowcase,
  slowEcho,
  laterEcho,
  alwaysFails,
  unpublished,
];

const PAGE_SIZE = 100;

/** A model by slug or identifier (interface, section 2.1). @throws {HttpError} 404 unknown or unpublished */
export function findModel(slugOrId: string): SandboxModel {
  const slug = slugOrId.startsWith('mdl_') ? slugOrId.slice(4).replaceAll('_', '-') : slugOrId;
  const model = MODELS.find((one) => one.slug === slug && one.published !== false);
  if (model !== undefined) return model;
  throw notFound('unknown_model', `There is no published model "${slugOrId.slice(0, 100)}".`);
}

/** GET /api/marketplace/models?limit&offset: summaries. @throws {HttpError} 400 */
export function listModels(query: URLSearchParams) {
  const published = MODELS.filter((model) => model.published !== false);
  const limit = readWhole(query, 'limit', PAGE_SIZE, 10_000);
  const offset = query.get('offset') === '0' ? 0 : readWhole(query, 'offset', 0, 1e9);
  const end = offset + limit;
  return {
    models: published.slice(offset, end).map(summary),
    total: published.length,
    next: end < published.length ? `/api/marketplace/models?limit=${limit}&offset=${end}` : null,
  };
}

/** GET /api/marketplace/models/{slug}: the whole contract. @throws {HttpError} 404 */
export function modelDetail(slug: string) {
  const model = findModel(slug);
  const modes = Object.entries(model.modes).map(([name, mode]) => [
    name,
    {
      title: mode.title,
      description: mode.description,
      requires_scope: mode.vectorBacked === true,
      input_schema: mode.inputSchema,
      params_schema: mode.paramsSchema,
      examples: mode.examples,
      price: priceOf(mode),
    },
  ]);
  return { ...summary(model), modes: Object.fromEntries(modes) };
}

const priceOf = ({ price }: ModelMode) => ({ ...asMoney(price.micros), unit: price.unit });

function summary(model: SandboxModel) {
  const main = model.modes.execute ?? Object.values(model.modes)[0]!;
  return {
    id: `mdl_${model.slug.replaceAll('-', '_')}`,
    slug: model.slug,
    name: model.name,
    description: model.description,
    category: model.category,
    tags: model.tags,
    version: model.version,
    modes: Object.keys(model.modes),
    price: priceOf(main),
  };
}
