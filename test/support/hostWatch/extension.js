// Watches the extension host that it runs in, and has a command that hostile texts try to run.
const { rename, writeFile } = require('node:fs/promises');
const path = require('node:path');
const vscode = require('vscode');

const WRITE_MS = 250;

exports.activate = (context) => {
  const figures = { acted: 0, mostMemoryBytes: 0 };
  const file = path.join(context.extensionPath, 'figures.json');
  let writing = Promise.resolve();
  // One after the other, and somebody reads meanwhile: each is whole, or not there.
  const write = () => {
    figures.mostMemoryBytes = Math.max(figures.mostMemoryBytes, process.memoryUsage.rss());
    const text = JSON.stringify(figures);
    writing = writing.then(async () => {
      await writeFile(`${file}.new`, text);
      await rename(`${file}.new`, file);
    });
  };
  const note = setInterval(write, WRITE_MS);
  context.subscriptions.push(
    { dispose: () => clearInterval(note) },
    vscode.commands.registerCommand('hostWatch.end', () => {
      clearInterval(note);
      figures.ended = true;
      write();
    }),
    vscode.commands.registerCommand('hostWatch.act', () => {
      figures.acted += 1;
    }),
  );
};
