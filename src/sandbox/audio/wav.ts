import { type AudioFacts, seconds, UnreadableAudio } from './facts';

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;

/**
 * Reads a RIFF/WAVE file: its `fmt ` and `data` chunks, and every sample for peak and loudness.
 *
 * @throws {UnreadableAudio} a chunk is missing, truncated or invalid
 */
export function readWav(bytes: Buffer): AudioFacts {
  const format = chunk(bytes, 'fmt ');
  const data = chunk(bytes, 'data');
  if (format === undefined || format.length < 16) throw new UnreadableAudio('the WAV has no format chunk');
  if (data === undefined) throw new UnreadableAudio('the WAV has no data chunk');
  const tag = format.readUInt16LE(0);
  const encoding = tag === EXTENSIBLE && format.length >= 26 ? format.readUInt16LE(24) : tag;
  const channels = format.readUInt16LE(2);
  const rate = format.readUInt32LE(4);
  const bits = format.readUInt16LE(14);
  if (channels < 1 || rate < 1) throw new UnreadableAudio('the WAV header has no channels or no sample rate');
  const read = sampleReader(data, encoding, bits);
  const facts = { format: 'wav', sample_rate_hz: rate, channels, bits_per_sample: bits };
  if (read === undefined) return { ...facts, codec: `encoding ${encoding}` };

  const count = Math.floor(data.length / (bits / 8));
  let peak = 0;
  let squares = 0;
  for (let i = 0; i < count; i++) {
    const sample = read(i);
    peak = Math.max(peak, Math.abs(sample));
    squares += sample * sample;
  }
  return {
    ...facts,
    codec: encoding === FLOAT ? 'float' : 'pcm',
    duration_seconds: seconds(Math.floor(count / channels), rate),
    peak: Number(Math.min(peak, 1e6).toFixed(4)),
    rms: Number(Math.sqrt(count > 0 ? squares / count : 0).toFixed(4)),
  };
}

/** The sample of a place as -1 to 1; undefined: an unsupported encoding. */
function sampleReader(data: Buffer, encoding: number, bits: number) {
  if (encoding === FLOAT && bits === 32) return (i: number) => finite(data.readFloatLE(i * 4));
  if (encoding === FLOAT && bits === 64) return (i: number) => finite(data.readDoubleLE(i * 8));
  if (encoding !== PCM) return undefined;
  if (bits === 8) return (i: number) => (data[i]! - 128) / 128; // 8 bit is unsigned, all others are signed
  if (bits === 16) return (i: number) => data.readInt16LE(i * 2) / 32_768;
  if (bits === 24) return (i: number) => data.readIntLE(i * 3, 3) / 8_388_608;
  if (bits === 32) return (i: number) => data.readInt32LE(i * 4) / 2_147_483_648;
  return undefined;
}

const finite = (value: number) => (Number.isFinite(value) ? value : 0);

/** The first chunk with a name. A data chunk that ends beyond the file was truncated, and is read to the end of the file. */
function chunk(bytes: Buffer, name: string): Buffer | undefined {
  let at = 12;
  while (at + 8 <= bytes.length) {
    const size = bytes.readUInt32LE(at + 4);
    if (bytes.toString('latin1', at, at + 4) === name) return bytes.subarray(at + 8, at + 8 + size);
    at += 8 + size + (size % 2);
  }
  return undefined;
}
