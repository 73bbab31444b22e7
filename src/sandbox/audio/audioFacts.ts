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
export const seconds = (samples: number, rate: number) =>
  rate > 0 ? Number((samples / rate).toFixed(3)) : undefined;
