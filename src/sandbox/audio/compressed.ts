import { type AudioFacts, seconds, UnreadableAudio } from './facts';

/** FLAC: the STREAMINFO block, which always comes first. @throws {UnreadableAudio} */
export function readFlac(bytes: Buffer): AudioFacts {
  if (bytes.length < 42 || (bytes[4]! & 0x7f) !== 0) throw new UnreadableAudio('the FLAC has no stream info');
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

/** Ogg: the Vorbis or Opus header, and the position that the last page names. @throws {UnreadableAudio} */
export function readOgg(bytes: Buffer): AudioFacts {
  const vorbis = bytes.indexOf('\x01vorbis', 0, 'latin1');
  const opus = bytes.indexOf('OpusHead', 0, 'latin1');
  const isOpus = opus >= 0 && opus < 200;
  const head = isOpus ? opus : vorbis;
  if (head < 0 || head + 19 > bytes.length)
    throw new UnreadableAudio('the Ogg holds neither Vorbis nor Opus');
  const last = bytes.lastIndexOf('OggS', undefined, 'latin1');
  const granule = last + 14 <= bytes.length ? Number(bytes.readBigInt64LE(last + 6)) : 0;
  if (isOpus) {
    // Opus positions always count at 48 kHz, and start after the pre-skip.
    const played = Math.max(0, granule - bytes.readUInt16LE(head + 10));
    return {
      format: 'ogg',
      codec: 'opus',
      sample_rate_hz: bytes.readUInt32LE(head + 12),
      channels: bytes[head + 9]!,
      duration_seconds: seconds(played, 48_000),
    };
  }
  const rate = bytes.readUInt32LE(head + 12);
  return {
    format: 'ogg',
    codec: 'vorbis',
    sample_rate_hz: rate,
    channels: bytes[head + 11]!,
    duration_seconds: seconds(granule, rate),
  };
}

const MP3_RATES = [44_100, 48_000, 32_000];
/** kbit/s by index, of layer III: MPEG 1, and MPEG 2 and 2.5. */
const MP3_BITRATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;

interface Mp3Frame {
  readonly rate: number;
  readonly channels: number;
  readonly samples: number;
  readonly length: number;
}

/** MP3: walks over all frames after an ID3 tag, so that a variable bitrate counts right. @throws {UnreadableAudio} */
export function readMp3(bytes: Buffer): AudioFacts {
  let at = afterId3(bytes);
  let first: Mp3Frame | undefined;
  let samples = 0;
  while (at + 4 <= bytes.length) {
    const frame = mp3Frame(bytes.readUInt32BE(at));
    if (frame === undefined) {
      if (first !== undefined) break; // a tag at the end
      at += 1;
      if (at > 65_536 + afterId3(bytes)) break;
      continue;
    }
    first ??= frame;
    samples += frame.samples;
    at += frame.length;
  }
  if (first === undefined) throw new UnreadableAudio('the MP3 has no frame');
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

function mp3Frame(header: number): Mp3Frame | undefined {
  const version = (header >>> 19) & 3; // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
  const isLayer3 = ((header >>> 17) & 3) === 1;
  if (header >>> 21 !== 0x7ff || version === 1 || !isLayer3) return undefined;
  const isMpeg1 = version === 3;
  const bitrate = MP3_BITRATES[isMpeg1 ? 0 : 1][(header >>> 12) & 15];
  const baseRate = MP3_RATES[(header >>> 10) & 3];
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
