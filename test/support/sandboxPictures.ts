import { PNG } from 'pngjs';

type Paint = (x: number, y: number) => readonly [red: number, green: number, blue: number, alpha?: number];

export function png(width: number, height: number, paint: Paint): Buffer {
  const image = new PNG({ width, height });
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [red, green, blue, alpha = 255] = paint((x + 0.5) / width, (y + 0.5) / height);
      image.data.set([red, green, blue, alpha].map(Math.round), (y * width + x) * 4);
    }
  }
  return PNG.sync.write(image);
}

export const disc = (red: number, green: number, blue: number, size = 40) =>
  png(size, size, (x, y) => (Math.hypot(x - 0.5, y - 0.5) < 0.33 ? [red, green, blue] : [255, 255, 255]));
