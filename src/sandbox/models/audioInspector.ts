import { readAudio } from '../audio/readAudio';
import { example, perRun, type RunContext, singleMode } from './model';
import { readMedia } from './readMedia';
import { inputSchema, mediaSchema, paramsSchema } from './schema';

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
    inputSchema: inputSchema({
      audio: mediaSchema('audio', 'Audio', { description: 'WAV, FLAC, Ogg or MP3.' }),
    }),
    paramsSchema: paramsSchema(),
    examples: [example('A tone', { audio: { media_ref: 'sample_tone', filename: 'tone.wav' } })],
    run: inspect,
  },
);

async function inspect(context: RunContext) {
  return readMedia(context, 'audio', context.input.audio, '/input/audio', (bytes) => {
    const facts = readAudio(bytes);
    return {
      ...facts,
      size_bytes: bytes.length,
      ...(facts.peak && { peak_dbfs: decibels(facts.peak) }),
      ...(facts.rms && { rms_dbfs: decibels(facts.rms) }),
    };
  });
}

const decibels = (linear: number) => Number((20 * Math.log10(linear)).toFixed(1));
