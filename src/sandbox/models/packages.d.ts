// Types of the two packages that have none, as far as this room uses them.

declare module 'vader-sentiment' {
  interface Scores {
    readonly neg: number;
    readonly neu: number;
    readonly pos: number;
    readonly compound: number;
  }
  export const SentimentIntensityAnalyzer: { polarity_scores(text: string): Scores };
}

declare module 'omggif' {
  export class GifReader {
    constructor(bytes: Uint8Array);
    readonly width: number;
    readonly height: number;
    numFrames(): number;
    frameInfo(frame: number): { readonly width: number; readonly height: number };
    decodeAndBlitFrameRGBA(frame: number, pixels: Uint8Array): void;
  }
}
