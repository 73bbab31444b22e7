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
page.begin(page.start());
