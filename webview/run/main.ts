import './run.css';
import './form.css';
import './runBar.css';
import './result.css';
import '../shared/toolkit';
import { html, render } from 'lit';
import type { PanelAct } from '../../src/protocol/run';
import { carriesFiles } from '../shared/fileIntake';
import { lostHost } from '../shared/hostPulse';
import { loadTranslations } from '../shared/translations';
import { app } from './app';
import { saveAs, saveFile } from './fileLine';
import { openFieldMenu } from './form/frame';
import { RunPage } from './page';
import { tryRun } from './runBar';

loadTranslations();

const begin = beginTyping();
const acts: Record<PanelAct, () => unknown> = {
  showCode: () => page.editWork({ tab: 'code' }),
  saveAsRunFile: () => saveAs(page),
};
const page: RunPage = new RunPage(
  () => {
    render(html`${lostHost(page.state)}${app(page)}`, document.body);
    begin();
  },
  (act) => void acts[act](),
);

// The clock of a run; everything else renders when it changes.
setInterval(() => {
  if (page.isRunning) page.update();
}, 100);

// On the window: works with the focus anywhere.
window.addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey)) return;
  if (event.key === 'Enter') {
    event.preventDefault();
    void tryRun(page);
  } else if (event.key === 's') {
    event.preventDefault();
    void saveFile(page);
  } else if (event.key === '.') {
    event.preventDefault();
    openFieldMenu();
  } else if (event.key === 'z' && !event.shiftKey && !event.defaultPrevented && page.isJustReplaced) {
    event.preventDefault();
    page.undoReplacement();
  }
});

watchDrags(page);
page.begin(page.start());

/** Shows the Shift hint while something is dragged over the page. */
function watchDrags(page: RunPage): void {
  let depth = 0;
  const show = (dragging: boolean) => {
    if (page.state.dragging === dragging) return;
    page.update({ dragging });
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
      // A drop outside a drop zone would navigate the page to the file.
      event.preventDefault();
      show(false);
    });
  window.addEventListener('dragover', (event) => event.preventDefault());
}

/**
 * Returns a function to call after each rendering. Once the form is there and the page has the focus, it moves the
 * caret into the first empty text field, so that one can type into a model that was just opened.
 */
function beginTyping(): () => void {
  let done = false;
  const begin = () => {
    if (done || !document.hasFocus() || document.activeElement !== document.body) return;
    const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      '.form textarea, .form input[type="text"], .form input:not([type])',
    );
    if (fields.length === 0) return;
    done = true;
    [...fields].find((field) => field.value === '' && !field.disabled && !field.readOnly)?.focus();
  };
  window.addEventListener('focus', begin);
  // A user who has pressed a key or a button already keeps the focus.
  for (const event of ['pointerdown', 'keydown'] as const)
    window.addEventListener(event, () => (done = true), { once: true, capture: true });
  return begin;
}
