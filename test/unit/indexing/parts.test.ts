import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonSchema } from '../../../src/domain/json';
import type { ModeContract } from '../../../src/domain/model';
import { type IndexHost, indexPorts } from '../../../src/indexing/indexPorts';
import { payloadOf, payloadShape } from '../../../src/indexing/payload';
import { splitRejected } from '../../../src/indexing/rejectedBatch';
import { walk } from '../../../src/intake/walk';
import { ServiceError } from '../../../src/service/errors';
import { Turns } from '../../../src/service/turns';
import { rawOf } from '../../support/rawOf';

function mode(schema: JsonSchema | undefined, name = 'index'): ModeContract {
  const params = { schema: true, origin: 'unknown' as const };
  const input = {
    schema: schema ?? true,
    origin: schema === undefined ? ('documented' as const) : ('declared' as const),
  };
  return { name, vectorBacked: true, input, params, examples: [] };
}

const ITEMS = [
  { imageId: 'a/1.png', filename: '1.png', mediaRef: 'ref-1' },
  { imageId: 'a/2.png', filename: '2.png', mediaRef: 'ref-2' },
];

describe('The input of an index run', () => {
  it('follows the documentation when the contract has no input', () => {
    const shape = payloadShape(mode(undefined));
    assert.ok(shape);
    assert.deepEqual(payloadOf(shape, ITEMS), {
      images: [
        { media_ref: 'ref-1', filename: '1.png' },
        { media_ref: 'ref-2', filename: '2.png' },
      ],
      image_ids: ['a/1.png', 'a/2.png'],
    });
    assert.deepEqual(payloadShape(mode(undefined, 'search'))?.property, 'image');
  });

  it('follows the contract to other media, through references, with its limit', () => {
    const shape = payloadShape(
      mode({
        type: 'object',
        properties: {
          language: { type: 'string' },
          clip_ids: { type: 'array', items: { type: 'string' }, maxItems: 4 },
          clips: { type: 'array', maxItems: 8, items: { $ref: '#/$defs/clip' } },
        },
        required: ['clips', 'clip_ids'],
        $defs: {
          clip: { type: 'object', properties: { media_ref: { type: 'string' } }, title: 'Audio clip' },
        },
      }),
    );
    assert.equal(shape?.property, 'clips');
    assert.equal(shape?.ids, 'clip_ids');
    assert.equal(shape?.maxItems, 4);
  });

  it('takes one file at a time where the contract has one place, and text where it asks for text', () => {
    const one = payloadShape(
      mode({
        properties: {
          audio: { properties: { media_ref: { type: 'string' } } },
          audio_id: { type: 'string' },
        },
      }),
    );
    assert.deepEqual(one && [one.list, one.maxItems, one.ids], [false, 1, 'audio_id']);
    const text = payloadShape(
      mode({
        properties: {
          texts: { type: 'array', items: { type: 'string' } },
          text_ids: { type: 'array', items: { type: 'string' } },
        },
      }),
    );
    assert.ok(text);
    assert.deepEqual(payloadOf(text, [{ imageId: 'a.txt', filename: 'a.txt', text: 'hello' }]), {
      texts: ['hello'],
      text_ids: ['a.txt'],
    });
  });

  it('fails for a mode that takes no files', () => {
    assert.equal(payloadShape(mode({ properties: { seed: { type: 'integer' } } })), undefined);
  });

  it('puts content and id of a file into one object where the contract has them so', () => {
    const shape = payloadShape(
      mode({
        properties: {
          texts: {
            type: 'array',
            maxItems: 100,
            items: { type: 'object', properties: { id: { type: 'string' }, text: { type: 'string' } } },
          },
        },
      }),
    );
    assert.ok(shape);
    assert.equal(shape.maxItems, 100);
    assert.deepEqual(payloadOf(shape, [{ imageId: 'a.txt', filename: 'a.txt', text: 'hello' }]), {
      texts: [{ id: 'a.txt', text: 'hello' }],
    });
    const media = payloadShape(
      mode({
        properties: {
          documents: {
            type: 'array',
            items: {
              properties: {
                document_id: { type: 'string' },
                file: { properties: { media_ref: { type: 'string' } } },
              },
            },
          },
        },
      }),
    );
    assert.ok(media);
    assert.deepEqual(payloadOf(media, ITEMS.slice(0, 1)), {
      documents: [{ document_id: 'a/1.png', file: { media_ref: 'ref-1', filename: '1.png' } }],
    });
  });
});

describe('A refused batch', () => {
  const batch = ['a.png', 'aa.png', 'b.png', 'c.png'].map((imageId, n) => ({
    imageId,
    mediaRef: `ref-${n}`,
  }));
  const error = (serviceMessage: string) =>
    new ServiceError('invalidRequest', { status: 400, serviceMessage });
  const ids = (parts: readonly (readonly { imageId: string }[])[]) =>
    parts.map((part) => part.map(({ imageId }) => imageId));

  it('splits in half when the service names no file', () => {
    assert.deepEqual(ids(splitRejected(batch, error('bad input'))), [
      ['a.png', 'aa.png'],
      ['b.png', 'c.png'],
    ]);
  });

  it('sends a file alone that the service points at, by place, ID or reference', () => {
    for (const words of [
      '/input/images/2 is broken',
      'images[2]: broken',
      'cannot read "b.png"',
      'ref-2 is no image',
    ])
      assert.deepEqual(
        ids(splitRejected(batch, error(words))),
        [['a.png', 'aa.png', 'c.png'], ['b.png']],
        words,
      );
  });

  it('sends a file alone that the details of the response point at', () => {
    for (const body of [
      { error: { message: 'bad input', details: [{ path: '/input/images/2', message: 'broken' }] } },
      { message: 'bad input', errors: [{ imageId: 'b.png', reason: 'broken' }] },
      {
        detail: [{ loc: ['body', 'input', 'images', 2], msg: 'broken' }],
        errors: [{ index: 2, message: 'x' }],
      },
      { results: [{ ok: true }, { ok: true }, { ok: false }, { ok: true }] },
    ]) {
      const rejected = new ServiceError('invalidRequest', {
        serviceMessage: 'bad input',
        raw: rawOf(body, 400),
      });
      assert.deepEqual(ids(splitRejected(batch, rejected))[1], ['b.png'], JSON.stringify(body));
    }
  });

  it('does not take a longer id for a shorter one', () => {
    assert.deepEqual(ids(splitRejected(batch, error('"aa.png" is broken')))[1], ['aa.png']);
  });

  it('never splits into empty parts', () => {
    assert.deepEqual(ids(splitRejected(batch.slice(0, 1), error('bad input'))), [['a.png']]);
    assert.deepEqual(ids(splitRejected(batch.slice(0, 1), new Error('no response'))), [['a.png']]);
    assert.deepEqual(ids(splitRejected(batch.slice(0, 3), error('bad input'))), [
      ['a.png', 'aa.png'],
      ['b.png'],
    ]);
  });

  it('finds only whole IDs, and a place only if there is a file', () => {
    assert.deepEqual(ids(splitRejected(batch, error('b.png')))[1], ['b.png']);
    assert.deepEqual(ids(splitRejected(batch, error('b.pngx, xb.png, but not c.png')))[1], ['c.png']);
    assert.deepEqual(ids(splitRejected(batch, error('images[9] and images[2]')))[1], ['b.png']);
    assert.equal(splitRejected(batch, error('images[9]'))[0]?.length, 2);
  });

  it('sends a file alone that the response calls failed, and not one that it only mentions', () => {
    const body = { errors: [{ imageId: 'b.png', reason: 'broken' }], read: ['c.png'] };
    const rejected = new ServiceError('invalidRequest', { raw: rawOf(body, 400) });
    assert.deepEqual(ids(splitRejected(batch, rejected)), [['a.png', 'aa.png', 'c.png'], ['b.png']]);
  });

  it('splits in half when the message names all of it', () => {
    assert.equal(splitRejected(batch, error('a.png, aa.png, b.png, c.png')).length, 2);
  });
});

describe('A text of a job', () => {
  it('uses the hash and the size of the read bytes, not the earlier ones', async () => {
    const read = '\ufeffsaved in between: é';
    const ports = indexPorts({
      carries: 'text',
      files: {
        facts: async () => ({ sizeBytes: 3, modifiedMs: 7 }),
        open: async function* () {
          for (const byte of Buffer.from(read)) yield Uint8Array.of(byte);
        },
      },
    } as unknown as IndexHost);
    const taken = await ports.take(
      { uri: 'file:///a.txt', filename: 'a.txt' } as never,
      AbortSignal.timeout(9_000),
    );
    assert.equal(taken.sizeBytes, Buffer.byteLength(read));
    assert.equal(taken.sha256, createHash('sha256').update(read).digest('hex'));
    assert.equal(taken.text, read.slice(1));
  });
});

describe('A walk through a folder', () => {
  it('leaves out files that files.exclude and .gitignore name, at every depth', async () => {
    const root = await fs.mkdtemp(join(tmpdir(), 'walk-'));
    try {
      const put = async (path: string, text = 'x') => {
        await fs.mkdir(join(root, path, '..'), { recursive: true });
        await fs.writeFile(join(root, path), text);
      };
      await put('.gitignore', 'build/\n*.tmp.png\n');
      await put('a.png');
      await put('b.tmp.png');
      await put('build/c.png');
      await put('.git/d.png');
      await put('deep/.gitignore', '/only-here.png\n!kept.png\n');
      await put('deep/only-here.png');
      await put('deep/er/only-here.png');
      await put('out.map.png');
      await put('notes.txt');
      const found = async (respectGitignore: boolean, folder = root) => {
        const { files } = await walk(folder, {
          turns: new Turns(),
          root,
          excluded: ['**/.git', '*.{map,min}.png'],
          respectGitignore,
          wants: (name) => name.endsWith('.png'),
          file: (folder, name) => folder + name,
        });
        return files.map((path) => path.slice(root.length + 1));
      };
      assert.deepEqual(await found(true), ['a.png', 'deep/er/only-here.png']);
      assert.deepEqual(await found(true, join(root, 'deep')), ['deep/er/only-here.png']);
      assert.deepEqual(await found(false), [
        'a.png',
        'b.tmp.png',
        'build/c.png',
        'deep/er/only-here.png',
        'deep/only-here.png',
      ]);
    } finally {
      await fs.rm(root, { recursive: true });
    }
  });
});
