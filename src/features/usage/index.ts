import * as vscode from 'vscode';
import { panels } from '../../contributions';
import type { Services } from '../../services';
import { registerCommands } from '../../vscode/commands';
import { noteStepDone } from '../../vscode/walkthrough';
import { registerReceipts } from './receipts';
import type { UsagePanel } from './usagePanel';

/** Show Usage and Billing: one page, shown again when it is asked for again, and back after a reload. */
export function registerUsage(services: Services): vscode.Disposable {
  let open: UsagePanel | undefined;
  const show = async (panel?: vscode.WebviewPanel) => {
    if (open && !panel) return open.reveal();
    const { UsagePanel } = await import('./usagePanel');
    open?.dispose();
    const shown = new UsagePanel(panel ?? UsagePanel.create(), services, () => {
      if (open === shown) open = undefined;
    });
    open = shown;
  };
  return vscode.Disposable.from(
    { dispose: () => open?.dispose() },
    services.refreshed.event(() => open?.refresh()),
    registerCommands(services.log, {
      'modelBench.changeBudget': async () => {
        await show();
        open?.editBudget();
      },
      'modelBench.showUsage': async () => {
        await show();
        await noteStepDone(services.context.globalState, 'cost');
      },
    }),
    vscode.window.registerWebviewPanelSerializer(panels.usage, {
      deserializeWebviewPanel: (panel) => show(panel),
    }),
    registerReceipts(services),
  );
}
