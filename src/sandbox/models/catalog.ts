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

const priceOf = ({ price }: ModelMode) => ({ ...asMoney(price.micros), unit: price.unit });

/** The published models (interface, section 4): a list of summaries, and one model's whole contract. */
export class Catalog {
  readonly #models = new Map<string, SandboxModel>();

  constructor(
    extraModels: number,
    private readonly pageSize: number,
  ) {
    for (const model of MODELS) this.#models.set(model.slug, model);
    for (let i = 1; i <= extraModels; i++) {
      const number = String(i).padStart(String(extraModels).length, '0');
      const slug = `catalog-filler-${number}`;
      this.#models.set(slug, {
        ...sentiment,
        slug,
        name: `Catalog Filler ${number}`,
        category: `Filler ${i % 40}`,
        description: `Generated to make the catalog long; it runs the sentiment model.`,
      });
    }
  }

  /** By slug or identifier. @throws {HttpError} 404 unknown or unpublished */
  find(slugOrId: string): SandboxModel {
    const slug = slugOrId.startsWith('mdl_') ? slugOrId.slice(4).replaceAll('_', '-') : slugOrId;
    const model = this.#models.get(slug);
    if (model === undefined || model.published === false) {
      throw notFound('unknown_model', `There is no published model "${slugOrId.slice(0, 100)}".`);
    }
    return model;
  }

  /** GET /api/marketplace/models?limit&offset */
  list(query: URLSearchParams) {
    const published = [...this.#models.values()].filter(({ published }) => published !== false);
    const limit = readWhole(query, 'limit', this.pageSize, 10_000);
    const offset = query.get('offset') === '0' ? 0 : readWhole(query, 'offset', 0, 1e9);
    const end = offset + limit;
    return {
      models: published.slice(offset, end).map(summary),
      total: published.length,
      next: end < published.length ? `/api/marketplace/models?limit=${limit}&offset=${end}` : null,
    };
  }

  /** GET /api/marketplace/models/{slug} */
  detail(slug: string) {
    const model = this.find(slug);
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
}

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
