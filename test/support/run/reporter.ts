import Mocha from 'mocha';
import { tallyingReporter } from './tallyingReporter';

/** For Mocha's `--reporter`. */
export default tallyingReporter(Mocha);
