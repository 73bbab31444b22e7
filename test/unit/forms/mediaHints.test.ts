import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/domain/json';
import { formOf } from '../../../src/forms/buildForm';
import { validateValue } from '../../../src/forms/validate';
import { walk } from '../../support/forms/driveForm';

// Which fields take a file, and of which kinds: contracts say it in many ways, and often by nothing but a name.

/** The kinds of files that a field of that name takes; undefined where it takes none. */
function takes(name: string, schema: object): string | undefined {
  const field = walk(formOf({ properties: { [name]: structuredClone(schema) as JsonObject } }, {}), 1).find(
    ({ key }) => key === name,
  );
  if (field?.kind !== 'media' && field?.kind !== 'mediaList') return undefined;
  return `${field.kind === 'mediaList' ? 'list of ' : ''}${field.accept.join() || 'any'}${field.textAllowed ? ' or text' : ''}`;
}

type Case = readonly [name: string, schema: object, expected: string | undefined];

function are(cases: readonly Case[]) {
  for (const [name, schema, expected] of cases)
    it(`${name} ${JSON.stringify(schema)}: ${expected ?? 'no file'}`, () =>
      assert.equal(takes(name, schema), expected));
}

const each = (names: string, schema: object, expected: string | undefined): Case[] =>
  names.split(', ').map((name) => [name, schema, expected]);

describe('A field takes a file, by its type or format', () => {
  are([
    ...['image', 'audio', 'video'].map((type): Case => ['x', { type }, `${type}/*`]),
    ['x', { type: 'File' }, 'any'],
    ['x', { type: ['media', 'null'] }, 'any'],
    ['x', { type: 'imagery' }, undefined],
    ['x', { type: 'string' }, undefined],
    ...['binary', 'base64', 'data-url', 'data-uri', 'file', 'media', 'media_ref', 'media-ref', 'BINARY'].map(
      (format): Case => ['x', { type: 'string', format }, 'any or text'],
    ),
    ...['image', 'audio', 'video'].map(
      (format): Case => ['x', { type: 'string', format }, `${format}/* or text`],
    ),
    ['x', { type: 'string', format: 'path' }, undefined],
    ['image', { type: 'string', format: 'path' }, 'image/* or text'],
    ['x', { type: 'string', format: 'date' }, undefined],
    ['image', { type: 'string', format: 'date' }, undefined],
    ['image', { type: 'string', pattern: 'a' }, undefined],
    ...['image/png', 'audio/mpeg', 'video/mp4', 'application/pdf', 'application/zip'].map(
      (contentMediaType): Case => ['x', { type: 'string', contentMediaType }, `${contentMediaType} or text`],
    ),
    ['x', { type: 'string', contentMediaType: 'application/octet-stream' }, 'any or text'],
    ['x', { type: 'string', contentMediaType: 'text/html' }, undefined],
    ['x', { type: 'string', contentMediaType: 'x-image/png' }, undefined],
    ['x', { type: 'string', contentMediaType: 3 }, undefined],
    ['x', { type: 'string', contentEncoding: 'base64' }, 'any or text'],
    ['x', { type: 'string', contentEncoding: 'binary' }, 'any or text'],
    ['x', { type: 'string', contentEncoding: 'quoted-printable' }, undefined],
    ['x', { type: 'string', comment: 'type=binary' }, 'any or text'],
    ['x', { type: 'string', $comment: 'type=binary' }, 'any or text'],
    ['x', { type: 'string', $comment: 'type=text' }, undefined],
    ['x', { type: 'string', accept: 'image/png, .jpg,image/jpeg' }, 'image/png,.jpg,image/jpeg or text'],
    ...['.png,.jpg', '*.png, *.JPG', 'png, .jpg, .png'].flatMap((accept): Case[] => [
      ['x', { type: 'string', accept }, '.png,.jpg or text'],
      ['image', { type: 'string', accept: accept.split(',') }, '.png,.jpg or text'],
      ['images', { type: 'array', items: { type: 'string', accept } }, 'list of .png,.jpg or text'],
    ]),
    [
      'x',
      {
        type: 'string',
        accept: ['Image/PNG', ' 3mf ', 'srt+x', 'xaudio', 'audiox', 'myfiles', 'filesx', 'a b'],
      },
      'Image/PNG,.3mf,.srt+x,.xaudio,.audiox,.myfiles,.filesx or text',
    ],
    ['x', { type: 'string', accept: ['images', 'audio', '.tar.gz'] }, 'image/*,audio/*,.tar.gz or text'],
    ['x', { type: 'string', accept: ['*', 'any', 'file', '.', ''] }, 'any or text'],
    ['x', { type: 'string', accept: ['audio/wav'] }, 'audio/wav or text'],
    ['x', { type: 'object', properties: { media_ref: {} } }, 'any'],
    [
      'x',
      { properties: { media_ref: {}, type: {} }, type: 'object', title: 'A photo or a song' },
      'image/*,audio/*',
    ],
    ['x', { type: 'object', properties: { ref: {} } }, undefined],
  ]);
});

describe('A field takes a file, by its name', () => {
  are([
    ...each(
      'image, photo, picture, mask, init_image, input-image, sourceImage, IMAGE, image_file, imageFile, image_2, styleImage',
      { type: 'string' },
      'image/* or text',
    ),
    ...each('audio, reference_audio', { type: 'string' }, 'audio/* or text'),
    ...each('video, last_video', { type: 'string' }, 'video/* or text'),
    ...each('file, media, input_file, media_input', { type: 'string' }, 'any or text'),
    ...each(
      'image_size, images, my_image, image_url, imaged, reimage, image_2x, inputimages',
      { type: 'string' },
      undefined,
    ),
    ['image', {}, 'image/*'],
    ['image', { type: 'object' }, 'image/*'],
    ['image', { type: 'object', properties: { width: {} } }, undefined],
    ['image', { type: 'integer' }, undefined],
    ['image', { properties: { width: {} } }, undefined],
    ['image', { items: {} }, undefined],
    ...['enum', 'anyOf', 'oneOf', 'allOf'].map(
      (key): Case => ['image', { [key]: [{ type: 'boolean' }] }, undefined],
    ),
    ['image', { type: 'string', enum: ['a'] }, undefined],
    ['image', { type: 'string', const: 'a' }, undefined],
    ['x', { description: 'The input image' }, 'image/*'],
    ['x', { description: 'An input video' }, 'video/*'],
    ['x', { description: 'The image' }, undefined],
    ['x', { type: 'string', description: 'The input image' }, undefined],
    ['x', { properties: { a: {} }, description: 'The input image' }, undefined],
    ['x', { items: {}, description: 'The input image' }, undefined],
    ...each('images, photos, input_images, ref-masks', { type: 'array' }, 'list of image/*'),
    ...each('audios', { type: 'array' }, 'list of audio/*'),
    ...each('files, media', { type: 'array' }, 'list of any'),
    ...each('images', { type: 'array', items: { type: 'string' } }, 'list of image/* or text'),
    ...each('images', { type: 'array', items: { type: 'integer' } }, undefined),
    ...each('images', { type: 'array', prefixItems: [{ type: 'string' }] }, undefined),
    ...each('imagery, image_list, imagesize', { type: 'array' }, undefined),
  ]);
});

describe('A field for an address takes a file, where name or texts say so', () => {
  const uri = { type: 'string', format: 'uri' };
  are([
    ...['url', 'iri', 'http-url', 'URI'].map(
      (format): Case => ['image', { type: 'string', format }, 'image/* or text'],
    ),
    ['image', { type: 'string', format: 'uri-reference' }, undefined],
    ...each('image, model_image, profile_photo, myPicture, image2', uri, 'image/* or text'),
    ...each('voice, background_music', uri, 'audio/* or text'),
    ...each('movie, firstClip', uri, 'video/* or text'),
    ...each('archive, mesh, pdf, mp3, introMp4, training_csv', uri, 'any or text'),
    ...each('callback_url, image_host, webhook, homepage, image_page_url, modelUrl, feed', uri, undefined),
    ...each('image_url, imageUrl, photo_link, image-href', uri, 'image/* or text'),
    ...each('url, link, x', uri, undefined),
    ['x', { ...uri, title: 'The photo' }, 'image/* or text'],
    ['x', { ...uri, description: 'A song of your choice' }, 'audio/* or text'],
    ['x', { ...uri, title: 3, description: 3 }, undefined],
    ['webhook', { ...uri, description: 'Called with the image' }, undefined],
    ['url', { ...uri, description: 'The input image' }, 'image/* or text'],
    ['url', { ...uri, description: 'URL of the image' }, 'image/* or text'],
    ['url', { ...uri, description: 'An image to edit' }, 'image/* or text'],
    ['url', { ...uri, description: 'Video files that will be cut' }, 'video/* or text'],
    ['url', { ...uri, description: 'A  source\n image  or so' }, 'image/* or text'],
    ['url', { ...uri, description: 'Link to an image for the avatar of the user' }, undefined],
    ['url', { ...uri, description: 'An image to be shown' }, undefined],
    ['image_url', { ...uri, description: 'An image to be shown beside the name' }, undefined],
    ['image_url', { ...uri, description: '画像' }, 'image/* or text'],
    ['url', { ...uri, description: '画像' }, undefined],
  ]);
});

describe('The kinds of files are those', () => {
  are([
    ['x', { type: 'string', format: 'binary', title: 'A photo' }, 'image/* or text'],
    ['x', { type: 'string', format: 'binary', description: 'Voice or video' }, 'audio/*,video/* or text'],
    ['clip', { type: 'string', format: 'binary', title: 'A photo' }, 'video/* or text'],
    ['x', { type: 'video', title: 'A photo' }, 'video/*'],
    ['x', { type: 'string', format: 'audio', title: 'A photo' }, 'audio/* or text'],
    ['x', { type: 'string', format: 'binary', title: 'imagery' }, 'any or text'],
    ['x', { type: 'string', format: 'binary', accept: '.png', title: 'A photo' }, '.png or text'],
    ['x', { type: 'string', format: 'binary', title: 3, description: 'A photo' }, 'image/* or text'],
    ['image', { type: 'string', contentMediaType: 'application/octet-stream' }, 'image/* or text'],
  ]);

  it('excludes a field that is only read', () =>
    assert.equal(takes('image', { type: 'string', readOnly: true }), undefined));
});

describe('IDs of files beside them', () => {
  const image = { type: 'object', properties: { media_ref: { type: 'string' } } };
  const list = { type: 'array', items: image };
  const ids = { type: 'array', items: { type: 'string' } };
  for (const [key, name, expected] of [
    ['images', 'image_ids', true],
    ['images', 'imageIds', true],
    ['images', 'ids', true],
    ['images', 'images_ids', true],
    ['images', 'picture_ids', false],
    ['movies_and_images', 'movies_and_image_ids', true],
    ['videos', 'video_ids', true],
    ['parts', 'part_ids', false],
  ] as const)
    it(`${name} for ${key}: ${expected}`, () => {
      const form = formOf({ properties: { [key]: list, [name]: ids } }, { [key]: [], [name]: [] });
      const field = walk(form, 1).find((each) => each.key === key) as { idsPointer?: string } | undefined;
      assert.equal(field?.idsPointer, expected ? `/${name}` : undefined);
    });
});

describe('A text that may be a file', () => {
  const of = (schema: object) => {
    const field = walk(
      formOf({ properties: { image: { type: 'string', ...schema } as JsonObject } }, {}),
      1,
    ).find(({ key }) => key === 'image');
    return field;
  };
  it('keeps its title, description and rules', () => {
    const field = of({ title: 'The picture', description: 'D', format: 'uri' });
    assert.deepEqual([field?.label, field?.description], ['The picture', 'D']);
    const schema = {
      properties: { image: { type: 'string', format: 'uri', minLength: 3, maxLength: 9, pattern: '^m' } },
    };
    for (const [image, verdict] of [
      ['media', 'valid'],
      ['me', 'invalid'],
      ['media_too_long', 'invalid'],
      ['xmedia', 'invalid'],
      [{ media_ref: 'media_1' }, 'valid'],
      [{ media_ref: 'media_1', filename: 'a.png' }, 'valid'],
      [{ media_ref: '' }, 'invalid'],
      [{ media_ref: 1 }, 'invalid'],
      [{ media_ref: 'm', filename: 1 }, 'invalid'],
      [{ filename: 'a.png' }, 'invalid'],
      [3, 'invalid'],
      [['media'], 'invalid'],
    ] as const)
      assert.equal(
        validateValue(structuredClone(schema), { image: image as string }).verdict,
        verdict,
        JSON.stringify(image),
      );
  });
});
