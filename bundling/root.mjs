import { dirname } from 'node:path';

/** The folder of package.json. */
export const root = dirname(import.meta.dirname);
