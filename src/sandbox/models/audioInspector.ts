import { UnreadableAudio } from '../audio/facts';
import { readAudio } from '../audio/readAudio';
import { badRequest } from '../http/errors';
import {
  example,
  inputSchema,
  mediaSchema,
  paramsSchema,
  perRun,
  type RunContext,
  singleMode,
} from './model';

/** Files are read whole; larger ones are rejected. */
const LIMIT_BYTES = 256 * 1024 * 1024;

/** Format and loudness of an audio file. */
export const audioInspector = singleMode(
  {
    slug: 'audio-inspector',
    name: 'Audio Inspector',
    description:
      'Reports length, sample rate, channels and codec of a WAV, FLAC, Ogg or MP3 file, and peak and loudness of WAV.',
    category: 'Audio',
    tags: ['audio', 'inspection'],
    version: '1.0.0',
  },
  {
    title: 'Inspect',
    description: 'Inspect one audio file.',
    price: perRun(2_000),
    inputSchema: inputSchema({ audio: mediaSchema('audio', 'Audio', 'WAV, FLAC, Ogg or MP3.') }),
    paramsSchema: paramsSchema(),
    examples: [example('A tone', { audio: { media_ref: 'sample_tone', filename: 'tone.wav' } })],
    run: inspect,
  },
);

async function inspect(context: RunContext) {
  const media = context.media(context.input.audio, '/input/audio');
  try {
    if (media.sizeBytes > LIMIT_BYTES) throw new UnreadableAudio('the file is larger than 256 MiB');
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
