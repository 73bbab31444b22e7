import { describeActs } from '../support/panels/acts';

describe('VS Code', () => describeActs(() => import('vscode')));
