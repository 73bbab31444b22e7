import { UnreadableMedia } from '../media/media';
import { riffChunks } from '../media/riff';

/** Facts from a file's headers and samples. */
export interface AudioFacts {
  readonly format: string;
  readonly codec: string;
  readonly sample_rate_hz: number;
  readonly channels: number;
  readonly bits_per_sample?: number;
  readonly duration_seconds?: number;
  /** Linear, 0 to 1; only where the samples can be read. */
  readonly peak?: number;
  readonly rms?: number;
}

/** Seconds with three decimals. */
const seconds = (samples: number, rate: number) =>
  rate > 0 ? Number((samples / rate).toFixed(3)) : undefined;

/** The first bytes determine the format. @throws {UnreadableMedia} another kind, or damaged */
export function readAudio(bytes: Buffer): AudioFacts {
  const start = bytes.toString('latin1', 0, 12);
  try {
    if (start.startsWith('RIFF') && start.endsWith('WAVE')) return readWav(bytes);
    if (start.startsWith('fLaC')) return readFlac(bytes);
    if (start.startsWith('OggS')) return readOgg(bytes);
    const isFrame = bytes.length > 3 && bytes[0] === 0xff && (bytes[1]! & 0xe0) === 0xe0;
    if (start.startsWith('ID3') || isFrame) return readMp3(bytes);
  } catch (error) {
    if (error instanceof RangeError) throw new UnreadableMedia('its header is truncated');
    throw error;
  }
  throw new UnreadableMedia('it is not a WAV, FLAC, Ogg or MP3 file');
}

const EXTENSIBLE = 0xfffe;
const FLOAT = 3;

/** WAV: its `fmt ` and `data` chunks, and every sample for peak and loudness. */
function readWav(bytes: Buffer): AudioFacts {
  const format = riffChunk(bytes, 'fmt ');
  const data = riffChunk(bytes, 'data');
  if (format === undefined || format.length < 16) throw new UnreadableMedia('the WAV has no format chunk');
  if (data === undefined) throw new UnreadableMedia('the WAV has no data chunk');
  const tag = format.readUInt16LE(0);
  const encoding = tag === EXTENSIBLE && format.length >= 26 ? format.readUInt16LE(24) : tag;
  const channels = format.readUInt16LE(2);
  const rate = format.readUInt32LE(4);
  const bits = format.readUInt16LE(14);
  if (channels < 1 || rate < 1) throw new UnreadableMedia('the WAV header has no channels or no sample rate');
  const read = SAMPLE_READERS[`${encoding} ${bits}`];
  const facts = { format: 'wav', sample_rate_hz: rate, channels, bits_per_sample: bits };
  if (read === undefined) return { ...facts, codec: `encoding ${encoding}` };

  const count = Math.floor(data.length / (bits / 8));
  let peak = 0;
  let squares = 0;
  for (let i = 0; i < count; i++) {
    const sample = read(data, i);
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

/** A chunk without the data after it; a truncated one ends with the file. */
function riffChunk(bytes: Buffer, wanted: string): Buffer | undefined {
  for (const { name, size, data } of riffChunks(bytes)) if (name === wanted) return data.subarray(0, size);
  return undefined;
}

/** By encoding (1: PCM, 3: float) and bits: the sample at a place as -1 to 1. PCM of 8 bits is unsigned. */
const SAMPLE_READERS: Readonly<Record<string, (data: Buffer, i: number) => number>> = {
  '1 8': (data, i) => (data[i]! - 128) / 128,
  '1 16': (data, i) => data.readInt16LE(i * 2) / 2 ** 15,
  '1 24': (data, i) => data.readIntLE(i * 3, 3) / 2 ** 23,
  '1 32': (data, i) => data.readInt32LE(i * 4) / 2 ** 31,
  '3 32': (data, i) => finite(data.readFloatLE(i * 4)),
  '3 64': (data, i) => finite(data.readDoubleLE(i * 8)),
};

const finite = (value: number) => (Number.isFinite(value) ? value : 0);

/** FLAC: the STREAMINFO block, which always comes first. */
function readFlac(bytes: Buffer): AudioFacts {
  if (bytes.length < 42 || (bytes[4]! & 0x7f) !== 0) throw new UnreadableMedia('the FLAC has no stream info');
  const packed = bytes.readBigUInt64BE(18);
  const rate = Number(packed >> 44n);
  return {
    format: 'flac',
    codec: 'flac',
    sample_rate_hz: rate,
    channels: Number((packed >> 41n) & 7n) + 1,
    bits_per_sample: Number((packed >> 36n) & 31n) + 1,
    duration_seconds: seconds(Number(packed & 0xfffffffffn), rate),
  };
}

/** Ogg: the Vorbis or Opus header, and the position in the last page. */
function readOgg(bytes: Buffer): AudioFacts {
  const opus = bytes.subarray(0, 207).indexOf('OpusHead', 0, 'latin1');
  const head = opus < 0 ? bytes.indexOf('\x01vorbis', 0, 'latin1') : opus;
  if (head < 0 || head + 19 > bytes.length) {
    throw new UnreadableMedia('the Ogg holds neither Vorbis nor Opus');
  }
  const last = bytes.lastIndexOf('OggS', undefined, 'latin1');
  const position = last + 14 <= bytes.length ? Number(bytes.readBigInt64LE(last + 6)) : 0;
  const rate = bytes.readUInt32LE(head + 12);
  const facts = { format: 'ogg', sample_rate_hz: rate };
  if (opus < 0) {
    return {
      ...facts,
      codec: 'vorbis',
      channels: bytes[head + 11]!,
      duration_seconds: seconds(position, rate),
    };
  }
  // Opus positions always count at 48 kHz, and start after the pre-skip.
  const played = Math.max(0, position - bytes.readUInt16LE(head + 10));
  return { ...facts, codec: 'opus', channels: bytes[head + 9]!, duration_seconds: seconds(played, 48_000) };
}

const RATES = [44_100, 48_000, 32_000];
/** kbit/s by index, of layer III: MPEG 1, and MPEG 2 and 2.5. */
const BITRATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;

/** MP3: walks over all frames after an ID3 tag, so that a variable bitrate counts right. @throws {UnreadableMedia} */
function readMp3(bytes: Buffer): AudioFacts {
  const start = afterId3(bytes);
  let at = start;
  let first: ReturnType<typeof mp3Frame>;
  let samples = 0;
  while (at + 4 <= bytes.length) {
    const frame = mp3Frame(bytes.readUInt32BE(at));
    if (frame === undefined) {
      if (first !== undefined) break; // a tag at the end
      at += 1;
      if (at > 65_536 + start) break;
      continue;
    }
    first ??= frame;
    samples += frame.samples;
    at += frame.length;
  }
  if (first === undefined) throw new UnreadableMedia('the MP3 has no frame');
  return {
    format: 'mp3',
    codec: 'mp3',
    sample_rate_hz: first.rate,
    channels: first.channels,
    duration_seconds: seconds(samples, first.rate),
  };
}

function afterId3(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 3) !== 'ID3' || bytes.length < 10) return 0;
  // Four times seven bits.
  return 10 + ((bytes[6]! << 21) | (bytes[7]! << 14) | (bytes[8]! << 7) | bytes[9]!);
}

function mp3Frame(header: number) {
  const version = (header >>> 19) & 3; // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
  const isLayer3 = ((header >>> 17) & 3) === 1;
  if (header >>> 21 !== 0x7ff || version === 1 || !isLayer3) return undefined;
  const isMpeg1 = version === 3;
  const bitrate = BITRATES[isMpeg1 ? 0 : 1][(header >>> 12) & 15];
  const baseRate = RATES[(header >>> 10) & 3];
  if (!bitrate || baseRate === undefined) return undefined;
  const rate = baseRate / (isMpeg1 ? 1 : version === 2 ? 2 : 4);
  const padding = (header >>> 9) & 1;
  return {
    rate,
    channels: ((header >>> 6) & 3) === 3 ? 1 : 2,
    samples: isMpeg1 ? 1152 : 576,
    length: Math.floor(((isMpeg1 ? 144 : 72) * bitrate * 1000) / rate) + padding,
  };
}
