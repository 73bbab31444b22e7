import './experiment.css';
import '../shared/thumbnail';
import { render } from 'lit';
import { loadTranslations } from '../shared/translations';
import { look } from './grid';
import { ExperimentPage } from './page';
import { experimentView } from './view';

loadTranslations();
const root = document.body.appendChild(document.createElement('main'));
const page: ExperimentPage = new ExperimentPage(() => {
  render(experimentView(page), root);
  // The visible cells follow from the size after drawing.
  look(page);
});
root.addEventListener('pointerdown', () => page.pulse.check());
new ResizeObserver(() => look(page)).observe(root);
page.begin(page.start());
