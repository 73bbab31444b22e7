import './validLanguage';
import 'uplot/dist/uPlot.min.css';
import { loadTranslations } from '../shared/translations';
import { UsagePage } from './page';
import './usage.css';

loadTranslations();
new UsagePage(document.body.appendChild(document.createElement('div'))).start();
