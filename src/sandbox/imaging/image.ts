/** An image as rows of red, green, blue, alpha bytes. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

/** An opaque image as rows of red, green, blue, 0 to 255. */
export interface Rgb {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif';

/** The luma of the pixel that starts at a place, 0 to 255. */
export const lumaAt = (data: Float32Array, at: number) =>
  0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
