import './experiment.css';
import '../shared/thumbnail';
import { html, render } from 'lit';
import { lostHost } from '../shared/hostPulse';
import { loadTranslations } from '../shared/translations';
import { isWindowLow } from './glance';
import { gridElement, look, showWindow } from './grid';
import { ExperimentPage } from './page';
import { experimentView } from './view';

loadTranslations();
const root = document.body.appendChild(document.createElement('main'));
const sizes = new ResizeObserver(() => look(page));
let grid: HTMLElement | null = null;
const page: ExperimentPage = new ExperimentPage(() => {
  render(html`${lostHost(page.state)}${experimentView(page)}`, root);
  const drawn = gridElement();
  // Measured once: it says when it is scrolled or has another size.
  if (drawn === grid) return grid ? showWindow(page) : undefined;
  sizes.disconnect();
  grid = drawn;
  if (!grid) return;
  sizes.observe(grid);
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
// The head of the page leaves a low window once the table below it is scrolled.
const leaveHead = ({ target }: Event) => {
  if (target instanceof Element && target.scrollTop > 0 && target.matches('.grid, .xy') && isWindowLow())
    target.scrollIntoView();
};
root.addEventListener('scroll', leaveHead, { capture: true });
page.begin(page.start());
