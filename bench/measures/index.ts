import type { Measure } from '../measure';
import { journal } from './journal';

/** Every measure of `npm run bench`, in the order in which they run. */
export const measures: readonly Measure[] = [journal];
