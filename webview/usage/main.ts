// Before uPlot.
import './validLanguage';
import 'uplot/dist/uPlot.min.css';
import './usage.css';
import { html, render } from 'lit';
import { lostHost } from '../shared/hostPulse';
import { loadTranslations } from '../shared/translations';
import { UsageChart } from './chart';
import { UsagePage } from './page';
import { usageView } from './view';

loadTranslations();
const root = document.body.appendChild(document.createElement('div'));
const chart = new UsageChart();
const page: UsagePage = new UsagePage(() => {
  render(html`${lostHost(page.state)}${usageView(page)}`, root);
  chart.show(root.querySelector<HTMLElement>('#chart'), page);
});
page.begin(page.load({ reset: true }));
