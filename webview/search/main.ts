import './search.css';
import { render } from 'lit';
import { registerToolkit } from '../shared/toolkit';
import { loadTranslations } from '../shared/translations';
import { openComparison } from './compare';
import { SearchPage } from './page';
import { searchView } from './view';

loadTranslations();
registerToolkit();
const root = document.body.appendChild(document.createElement('main'));
const page: SearchPage = new SearchPage(() => {
  render(searchView(page), root);
  root.style.setProperty('--tile', `${page.tileSize}px`);
  openComparison(root);
});
page.begin(page.start());
