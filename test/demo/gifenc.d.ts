/** The part of gifenc (without types of its own, a CommonJS module) that the demo uses. */
declare module 'gifenc' {
  type Palette = readonly (readonly number[])[];
  const gifenc: {
    quantize(rgba: Uint8Array, colors: number): Palette;
    /** @returns an index into the palette for each pixel */
    applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array;
    GIFEncoder(): {
      /** @param options `delay` in milliseconds */
      writeFrame(
        index: Uint8Array,
        width: number,
        height: number,
        options: { readonly palette: Palette; readonly delay: number },
      ): void;
      finish(): void;
      bytes(): Uint8Array;
    };
  };
  export default gifenc;
}
