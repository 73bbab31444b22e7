import { UnreadableAudio } from '../audio/facts';
import { readAudio } from '../audio/readAudio';
import { badRequest } from '../http/errors';
import { mediaSchema, NO_PARAMS, objectSchema, type RunContext, type SandboxModel } from './model';

/** Files are read whole; larger ones are refused. */
const LIMIT_BYTES = 256 * 1024 * 1024;

/** What an audio file is, and how loud. */
export const audioInspector: SandboxModel = {
  slug: 'audio-inspector',
  name: 'Audio Inspector',
  description:
    'Tells length, rate, channels and codec of a WAV, FLAC, Ogg or MP3 file; of WAV also peak and loudness.',
  category: 'Audio',
  tags: ['audio', 'inspection'],
  version: '1.0.0',
  modes: {
    execute: {
      title: 'Inspect',
      description: 'Inspect one audio file.',
      price: { micros: 2_000, unit: 'run' },
      inputSchema: objectSchema({ audio: mediaSchema('audio', 'Audio', 'WAV, FLAC, Ogg or MP3.') }, [
        'audio',
      ]),
      paramsSchema: NO_PARAMS,
      examples: [
        { title: 'A tone', input: { audio: { media_ref: 'sample_tone', filename: 'tone.wav' } }, params: {} },
      ],
      run: inspect,
    },
  },
};

async function inspect(context: RunContext) {
  const media = context.media(context.input.audio, '/input/audio');
  try {
    if (media.sizeBytes > LIMIT_BYTES) throw new UnreadableAudio('it is larger than 256 MiB');
    const facts = readAudio(await media.bytes());
    return {
      ...facts,
      size_bytes: media.sizeBytes,
      ...(facts.peak && { peak_dbfs: decibels(facts.peak) }),
      ...(facts.rms && { rms_dbfs: decibels(facts.rms) }),
    };
  } catch (error) {
    if (!(error instanceof UnreadableAudio)) throw error;
    const message = `The audio ${media.filename} cannot be read: ${error.message}`;
    throw badRequest('unreadable_audio', `${message}.`, [{ path: '/input/audio', message }]);
  }
}

const decibels = (linear: number) => Number((20 * Math.log10(linear)).toFixed(1));
