import './search.css';
import { render } from 'lit';
import { loadTranslations } from '../shared/translations';
import { SearchPage } from './page';
import { searchView } from './view';

loadTranslations();
const root = document.body.appendChild(document.createElement('main'));
const page: SearchPage = new SearchPage(() => {
  render(searchView(page), root);
  root.style.setProperty('--tile', `${page.tileSize}px`);
});
page.begin(page.start());
