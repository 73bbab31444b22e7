// The page has it by then. Imported, so that what both use is not split into many small files.
import '../app';

/** What sets up an experiment. Loaded as one chunk, when something is varied. */
export { focusSection, section } from './section';
export { taken, vary } from './taken';
