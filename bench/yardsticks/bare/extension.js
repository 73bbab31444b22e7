// What VS Code itself takes: a panel with nothing but a message each way, and a tree of plain rows.
const vscode = require('vscode');

const ROWS = 10_000;
let shown = false;

exports.activate = (context) => {
  const changed = new vscode.EventEmitter();
  context.subscriptions.push(
    vscode.commands.registerCommand('bench.panel', openPanel),
    vscode.commands.registerCommand('bench.toggle', () => {
      shown = !shown;
      changed.fire();
    }),
    vscode.window.registerTreeDataProvider('bench.tree', {
      onDidChangeTreeData: changed.event,
      getChildren: (element) =>
        element || !shown ? [] : Array.from({ length: ROWS }, (_, n) => `Row ${String(n).padStart(5, '0')}`),
      getTreeItem: (label) => new vscode.TreeItem(label),
    }),
  );
};

function openPanel() {
  const panel = vscode.window.createWebviewPanel('bench', 'Empty', vscode.ViewColumn.Active, {
    enableScripts: true,
  });
  panel.webview.onDidReceiveMessage(() => panel.webview.postMessage('hello'));
  panel.webview.html = `<!DOCTYPE html><html><head><title>Empty</title></head><body><script>
    const host = acquireVsCodeApi();
    addEventListener('message', () => { document.body.innerHTML = '<button>Run</button>'; });
    host.postMessage('ready');
  </script></body></html>`;
}
