import './usage.css';
import { html, render } from 'lit';
import { lostHost } from '../shared/hostPulse';
import { loadTranslations } from '../shared/translations';
import { UsagePage } from './page';
import { usageView } from './view';

loadTranslations();
const root = document.body.appendChild(document.createElement('div'));
const page: UsagePage = new UsagePage(() => render(html`${lostHost(page.state)}${usageView(page)}`, root));
page.begin(page.load({ reset: true }));
