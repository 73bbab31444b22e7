import { describeActs } from './acts';

describe('VS Code', () => describeActs(() => import('vscode')));
