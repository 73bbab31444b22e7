import type { Services } from '../../services';
import type { DisposableStore } from '../../vscode/disposables';
import { Contracts } from './contracts';
import { RunFileDiagnostics } from './diagnostics';
import { Languages } from './languages';

/** The parts behind the editors of run files, which the store ends. */
export function openEditor(services: Services, store: DisposableStore) {
  const contracts = store.add(new Contracts(services));
  const diagnostics = store.add(new RunFileDiagnostics(services, contracts));
  return { languages: new Languages(services, contracts), diagnostics };
}
