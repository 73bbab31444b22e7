import './experiment.css';
import '../shared/thumbnail';
import { html, render } from 'lit';
import { lostHost } from '../shared/hostPulse';
import { loadTranslations } from '../shared/translations';
import { isWindowLow } from './glance';
import { look } from './grid';
import { ExperimentPage } from './page';
import { experimentView } from './view';

loadTranslations();
const root = document.body.appendChild(document.createElement('main'));
const page: ExperimentPage = new ExperimentPage(() => {
  render(html`${lostHost(page.state)}${experimentView(page)}`, root);
  // The visible cells follow from the size after drawing.
  look(page);
});
// VS Code’s own find widget would search only the rows in sight.
window.addEventListener('keydown', (event) => {
  const filter = document.querySelector<HTMLInputElement>('#filter');
  if (!filter || event.key !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
    return;
  event.preventDefault();
  filter.focus();
  filter.select();
});
new ResizeObserver(() => look(page)).observe(root);
// The head of the page leaves a low window once the table below it is scrolled.
const leaveHead = ({ target }: Event) => {
  if (target instanceof Element && target.scrollTop > 0 && target.matches('.grid, .xy') && isWindowLow())
    target.scrollIntoView();
};
root.addEventListener('scroll', leaveHead, { capture: true });
page.begin(page.start());
