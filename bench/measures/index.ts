import type { Measure } from '../measure';
import { activation } from './activation';
import { hostBundle } from './hostBundle';
import { hostStall } from './hostStall';
import { indexing } from './indexing';
import { journal } from './journal';
import { packageSize } from './package';
import { rateLimit } from './rateLimit';
import { secondPass } from './secondPass';
import { upload } from './upload';

/** Every measure of `npm run bench`, in the order in which they run. */
export const measures: readonly Measure[] = [
  packageSize,
  hostBundle,
  activation,
  journal,
  secondPass,
  upload,
  rateLimit,
  hostStall,
  indexing,
];
