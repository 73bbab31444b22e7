import * as vscode from 'vscode';
import { Catalog } from './connection/catalog';
import { Connection } from './connection/connection';
import { isSandbox } from './domain/environment';
import { registerAgents } from './features/agents';
import { registerBudget } from './features/budget';
import { registerCatalog } from './features/catalog';
import { registerCommandLine } from './features/commandLine';
import { registerConnect } from './features/connect';
import { registerExperiments } from './features/experiments';
import { registerHistory } from './features/history';
import { registerIndexing } from './features/indexing';
import { registerLog } from './features/log';
import { registerMapping } from './features/mapping';
import { PauseItem } from './features/rateLimit/pauseItem';
import { registerRunFiles } from './features/runFiles';
import { registerRunPanel } from './features/runPanel';
import { registerSandbox } from './features/sandbox';
import { SandboxProcess } from './features/sandbox/process';
import { registerScopes } from './features/scopes';
import { registerSearch } from './features/search';
import { registerUsage } from './features/usage';
import { registerWallet } from './features/wallet';
import { openServices } from './openServices';
import { trustWorkspaceWhen } from './programs/trust';
import { createLog } from './vscode/log';
import { loadTranslations } from './vscode/translations';
import { registerWalkthrough } from './vscode/walkthrough';
import { setDisplayLanguage } from './wording/displayLanguage';
import { setRemoteMachine } from './wording/remoteMachine';

export function activate(context: vscode.ExtensionContext): void {
  setDisplayLanguage(vscode.env.language);
  setRemoteMachine(vscode.env.remoteName);
  loadTranslations();
  trustWorkspaceWhen(() => vscode.workspace.isTrusted);
  const own = <T extends vscode.Disposable>(item: T): T => {
    context.subscriptions.push(item);
    return item;
  };
  const log = own(createLog('Model Bench'));
  const sandbox = own(new SandboxProcess(context, log));
  const pause = own(new PauseItem());
  const connection = own(
    new Connection(
      context,
      {
        isBuiltIn: isSandbox,
        prepare: (environment, apiKey) => sandbox.ensureRunning(environment, apiKey),
        make: async (environment, apiKey) => {
          const { createServiceClient } = await import('./service/createClient');
          const { keepPassphrasesIn, networkSettings } = await import('./connection/network');
          keepPassphrasesIn(context.secrets);
          const { useMappingsOfSettings } = await import('./connection/responseMappings');
          useMappingsOfSettings();
          const client = createServiceClient({
            environment: environment.name,
            baseUrl: environment.baseUrl,
            apiKey,
            network: networkSettings,
            log,
          });
          client.onRateLimit((state) => pause.show(environment.name, state));
          return client;
        },
      },
      log,
    ),
  );
  const catalog = own(
    new Catalog(connection, { storage: context.globalStorageUri, log, memory: context.globalState }),
  );
  const services = openServices({ context, log, connection, catalog });

  own(registerLog(services));
  own(registerMapping(services));
  own(registerConnect(services));
  own(registerSandbox(services, sandbox));
  own(registerCatalog(services));
  own(registerRunPanel(services));
  own(registerRunFiles(services));
  own(registerExperiments(services));
  own(registerHistory(services));
  own(registerIndexing(services));
  own(registerScopes(services));
  own(registerSearch(services));
  own(registerWallet(services, sandbox.onDidRefill));
  own(registerUsage(services));
  own(registerBudget(services));
  own(registerAgents(services));
  own(registerCommandLine(services));
  own(registerWalkthrough(context.globalState));
}
