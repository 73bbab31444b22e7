import type { Measure } from '../measure';
import { hostStall } from './hostStall';
import { indexing } from './indexing';
import { journal } from './journal';
import { rateLimit } from './rateLimit';
import { secondPass } from './secondPass';

/** Every measure of `npm run bench`, in the order in which they run. */
export const measures: readonly Measure[] = [journal, secondPass, hostStall, rateLimit, indexing];
