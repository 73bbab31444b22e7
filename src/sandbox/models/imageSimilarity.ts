import { setImmediate as nextTurn } from 'node:timers/promises';
import { badField, badRequest, type Detail, HttpError } from '../http/errors';
import { asVector, describe, distance, scoreOf } from '../imaging/descriptor';
import type { NewItem } from '../vectors/vectorStore';
import { indexItems, rejectDuplicateIds, SEARCH_PARAMS, searchHits } from './dataset';
import { example, perRun, type RunContext, type SandboxModel } from './model';
import { readImage } from './readMedia';
import { inputSchema, list, mediaSchema, paramsSchema } from './schema';

export const imageSimilarity: SandboxModel = {
  slug: 'image-similarity',
  name: 'Image Similarity',
  description:
    'Finds similar images by the layout of their colors and their edges (MPEG-7 descriptors), with exact search.',
  category: 'Image',
  tags: ['image', 'search', 'similarity', 'vector'],
  version: '2.0.0',
  modes: {
    execute: {
      title: 'Compare',
      description: 'Describe one image, or compare two.',
      price: perRun(2_000),
      inputSchema: inputSchema(
        {
          image: mediaSchema('image', 'Image'),
          compare_with: mediaSchema('image', 'Compare with', {
            description: 'Second image; omit it to describe one image.',
          }),
        },
        ['compare_with'],
      ),
      paramsSchema: paramsSchema(),
      examples: [
        example('Sunset and meadow', {
          image: { media_ref: 'sample_sunset', filename: 'sunset.png' },
          compare_with: { media_ref: 'sample_meadow', filename: 'meadow.png' },
        }),
      ],
      run: compare,
    },
    index: {
      title: 'Index',
      description: 'Add images to a scope, or replace them by id.',
      vectorBacked: true,
      price: { micros: 500, unit: 'image' },
      inputSchema: inputSchema({
        images: list('Images', mediaSchema('image', 'Image'), { minItems: 1, maxItems: 32 }),
        image_ids: list(
          'Image IDs',
          { type: 'string', minLength: 1, maxLength: 1024 },
          {
            description: 'One ID for each image, in the same order.',
            minItems: 1,
            maxItems: 32,
          },
        ),
      }),
      paramsSchema: paramsSchema(),
      examples: [
        example('Two images', {
          images: [{ media_ref: 'sample_sunset' }, { media_ref: 'sample_meadow' }],
          image_ids: ['sunset.png', 'meadow.png'],
        }),
      ],
      itemIds: ({ image_ids: ids }) => ids as string[],
      run: indexImages,
    },
    search: {
      title: 'Search',
      description: 'Find the images of a scope that are most similar to this one.',
      vectorBacked: true,
      price: perRun(1_000),
      inputSchema: inputSchema({ image: mediaSchema('image', 'Image') }),
      paramsSchema: SEARCH_PARAMS,
      examples: [example('Similar to the sunset', { image: { media_ref: 'sample_sunset' } }, { top_k: 5 })],
      run: async (context) => {
        const image = await readImage(context);
        return searchHits(context, asVector(describe(image)), scoreOf);
      },
    },
  },
};

async function compare(context: RunContext) {
  const first = describe(await readImage(context));
  const descriptors = [first];
  if (context.input.compare_with !== undefined) {
    descriptors.push(describe(await readImage(context, context.input.compare_with, '/input/compare_with')));
  }
  const second = descriptors[1];
  const apart = second && distance(asVector(first), asVector(second));
  return {
    ...(apart !== undefined && {
      similarity: Number(scoreOf(apart).toFixed(4)),
      distance: Number(apart.toFixed(4)),
    }),
    descriptors: descriptors.map(({ colourLayout, edgeHistogram }) => ({
      colour_layout: rounded(colourLayout),
      edge_histogram: rounded(edgeHistogram),
    })),
  };
}

/** All images or none: an unreadable image fails the batch, and every unreadable one is named. */
async function indexImages(context: RunContext) {
  const images = context.input.images as unknown[];
  const ids = context.input.image_ids as string[];
  rejectDuplicateIds(ids, '/input/image_ids');
  if (images.length !== ids.length) {
    const message = `There are ${images.length} images and ${ids.length} image_ids: each image needs one ID.`;
    throw badField('/input/image_ids', 'invalid_input', message);
  }
  const items: NewItem[] = [];
  const problems: Detail[] = [];
  for (const [i, value] of images.entries()) {
    const path = `/input/images/${i}`;
    try {
      const media = context.media(value, path);
      const vector = asVector(describe(await readImage(context, value, path)));
      const { media_ref: mediaRef } = value as { media_ref: string };
      items.push({ facts: { id: ids[i]!, media_ref: mediaRef, filename: media.filename }, vector });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      problems.push({ path, message: error.message, index: i, image_id: ids[i]! });
    }
    await nextTurn(); // other requests are served between the images of a batch
  }
  if (problems.length > 0) {
    const bad = problems.map(({ image_id: id }) => `"${id}"`).join(', ');
    const message = `Nothing was indexed: ${problems.length} of ${ids.length} images cannot be read: ${bad}.`;
    throw badRequest('unreadable_image', message, problems);
  }
  return indexItems(context, items, { image_ids: ids });
}

const rounded = (values: Float32Array) => Array.from(values, (value) => Number(value.toFixed(4)));
