import './compare.css';
import '../shared/thumbnail';
import { render } from 'lit';
import { loadTranslations } from '../shared/translations';
import { ComparePage } from './page';
import { compareView } from './view';

loadTranslations();
const root = document.body.appendChild(document.createElement('main'));
const page: ComparePage = new ComparePage(() => render(compareView(page), root));
page.begin(page.start());
