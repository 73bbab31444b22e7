import type * as VSCode from 'vscode';
import { describeActs } from '../host/acts';
import { usePanels } from './usePanels';

describe('The stand-in for VS Code', () => {
  usePanels();
  describeActs(async () => (await import('../support/panels/vscodeModule')) as unknown as typeof VSCode);
});
