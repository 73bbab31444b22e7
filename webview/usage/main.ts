// Before uPlot.
import './validLanguage';
import 'uplot/dist/uPlot.min.css';
import '../shared/theme.css';
import './usage.css';
import { render } from 'lit';
import { loadTranslations } from '../shared/translations';
import { UsageChart } from './chart';
import { UsagePage } from './page';
import { usageView } from './view';

loadTranslations();
const root = document.body.appendChild(document.createElement('div'));
const chart = new UsageChart();
const page: UsagePage = new UsagePage(() => {
  render(usageView(page), root);
  chart.show(root.querySelector<HTMLElement>('#chart'), page);
});
page.begin(page.load({ reset: true }));
