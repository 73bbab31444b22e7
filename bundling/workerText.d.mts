import type { Metafile, Plugin } from 'esbuild';

export const workerMetafiles: Metafile[];
export const workerText: Plugin;
