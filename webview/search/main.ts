import './search.css';
import { html, render } from 'lit';
import { lostHost } from '../shared/hostPulse';
import { loadTranslations } from '../shared/translations';
import { SearchPage } from './page';
import { searchView } from './view';

loadTranslations();
const root = document.body.appendChild(document.createElement('main'));
const page: SearchPage = new SearchPage(() => {
  render(html`${lostHost(page.state)}${searchView(page)}`, root);
  root.style.setProperty('--tile', `${page.tileSize}px`);
});
// From every field, as in the run panel.
window.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  const field = document.activeElement;
  // A typed value counts once the field is left.
  if (field instanceof HTMLInputElement) {
    field.blur();
    field.focus();
  }
  document.querySelector<HTMLElement>('.controls .primary')?.click();
});
page.begin(page.start());
void import('../shared/toolkit');
