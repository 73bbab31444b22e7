import { UnreadableMedia } from '../media/media';
import { type AudioFacts, seconds } from './audioFacts';

const RATES = [44_100, 48_000, 32_000];
/** kbit/s by index, of layer III: MPEG 1, and MPEG 2 and 2.5. */
const BITRATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;

/** MP3: walks over all frames after an ID3 tag, so that a variable bitrate counts right. @throws {UnreadableMedia} */
export function readMp3(bytes: Buffer): AudioFacts {
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
