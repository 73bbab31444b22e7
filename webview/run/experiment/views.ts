// The page has it by then. Imported, so that shared code is not split into many small files.
import '../app';

/** The code for setting up an experiment. Loaded as one chunk, with the first varied field. */
export { focusSection, section } from './section';
export { taken, vary } from './taken';
