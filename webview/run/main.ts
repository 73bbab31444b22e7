import '@vscode/codicons/dist/codicon.css';
import '../shared/theme.css';
import './run.css';
import { render } from 'lit';
import { registerToolkit } from '../shared/toolkit';
import { loadTranslations } from '../shared/translations';
import { app } from './app';
import { beginTyping } from './beginTyping';
import { carriesFiles } from './files';
import { RunPage } from './page';
import { tryRun } from './runBar';

loadTranslations();
registerToolkit();

const begin = beginTyping();
const page: RunPage = new RunPage(() => {
  render(app(page), document.body);
  begin();
});

// The clock moves while a run is under way; everything else renders when it changes.
setInterval(() => {
  if (page.isRunning) page.changed();
}, 100);

// Wherever the focus is, also on nothing at all.
window.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  void tryRun(page);
});

watchDrags(page);
page.changed();
page.start().catch((error: unknown) => page.say(error));

/** The Shift hint shows as soon as the page sees that something is dragged over it. */
function watchDrags(page: RunPage): void {
  let depth = 0;
  const show = (dragging: boolean) => {
    if (page.dragging === dragging) return;
    page.dragging = dragging;
    page.changed();
  };
  window.addEventListener('dragenter', (event) => {
    if (!carriesFiles(event.dataTransfer)) return;
    depth += 1;
    show(true);
  });
  window.addEventListener('dragleave', () => {
    depth = Math.max(0, depth - 1);
    if (depth === 0) show(false);
  });
  for (const end of ['drop', 'dragend'] as const)
    window.addEventListener(end, (event) => {
      depth = 0;
      // A drop beside a drop zone must not make the page navigate to the file.
      event.preventDefault();
      show(false);
    });
  window.addEventListener('dragover', (event) => event.preventDefault());
}
