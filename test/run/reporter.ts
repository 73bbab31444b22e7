import Mocha from 'mocha';
import { tallyingReporter } from './tallyingReporter';

export default tallyingReporter(Mocha);
