import { PNG } from 'pngjs';
import type { Media } from './media';

/** Media that need no upload, so that a model's published examples run unchanged. Generated on first use. */
const SAMPLES: Readonly<Record<string, () => Media>> = {
  sample_sunset: () => inMemory('sunset.png', picture(sunset)),
  sample_meadow: () => inMemory('meadow.png', picture(meadow)),
  sample_tone: () => inMemory('tone.wav', tone()),
};

const made = new Map<string, Media>();

export function sampleMedia(mediaRef: string): Media | undefined {
  if (!made.has(mediaRef) && Object.hasOwn(SAMPLES, mediaRef)) made.set(mediaRef, SAMPLES[mediaRef]!());
  return made.get(mediaRef);
}

const inMemory = (filename: string, content: Buffer): Media => ({
  filename,
  sizeBytes: content.length,
  bytes: () => Promise.resolve(content),
});

type Paint = (x: number, y: number) => readonly [red: number, green: number, blue: number];

const SIZE = 96;

/** A sun over the sea. */
const sunset: Paint = (x, y) => {
  if (Math.hypot(x - 0.5, y - 0.55) < 0.18 && y < 0.62) return [255, 236, 160];
  if (y >= 0.62) return [30 + 60 * (1 - y), 40 + 40 * (1 - y), 90];
  return [120 + 135 * y, 60 + 120 * y, 130 - 60 * y];
};

/** A hill under a clear sky. */
const meadow: Paint = (x, y) =>
  y > 0.55 + 0.12 * Math.sin(x * 6) ? [60 + 40 * y, 140 + 40 * x, 60] : [120 + 60 * y, 180 + 40 * y, 240];

function picture(paint: Paint): Buffer {
  const png = new PNG({ width: SIZE, height: SIZE });
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      png.data.set([...paint(x / SIZE, y / SIZE).map(Math.round), 255], (y * SIZE + x) * 4);
    }
  }
  return PNG.sync.write(png);
}

/** Half a second of A4, 16 bit mono at 16 kHz. */
function tone(): Buffer {
  const rate = 16_000;
  const count = rate / 2;
  const wav = Buffer.alloc(44 + count * 2);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(36 + count * 2, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(count * 2, 40);
  for (let i = 0; i < count; i++) {
    wav.writeInt16LE(Math.round(16_384 * Math.sin((2 * Math.PI * 440 * i) / rate)), 44 + i * 2);
  }
  return wav;
}
