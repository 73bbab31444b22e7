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
