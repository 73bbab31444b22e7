import { LARGEST_PACKAGE } from '../../test/support/paths';
import type { Measure } from '../measure';
import { buildPackage, bytesOf } from '../support/build';

/** The size of the download and of the installation. */
export const packageSize: Measure = {
  name: 'package',
  what: 'size of the .vsix',
  goals: [{ figure: 'bytes', label: 'size', unit: 'bytes', atMost: LARGEST_PACKAGE }],
  pairs: 1,
  whyFewer: 'A size has no spread.',
  async prepare() {
    const file = buildPackage();
    return { warmUp: 0, pair: async () => ({ bytes: bytesOf(file) }) };
  },
};
