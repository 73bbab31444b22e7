import './compare.css';
import '../shared/thumbnail';
import { html, render } from 'lit';
import { lostHost } from '../shared/hostPulse';
import { loadTranslations } from '../shared/translations';
import { ComparePage } from './page';
import { compareView } from './view';

loadTranslations();
const root = document.body.appendChild(document.createElement('main'));
const page: ComparePage = new ComparePage(() =>
  render(html`${lostHost(page.state)}${compareView(page)}`, root),
);
page.begin(page.start());
void import('../shared/toolkit');
