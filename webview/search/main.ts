import '@vscode/codicons/dist/codicon.css';
import '../shared/theme.css';
import './search.css';
import { registerToolkit } from '../shared/toolkit';
import { loadTranslations } from '../shared/translations';
import { SearchPage } from './page';

loadTranslations();
registerToolkit();
void new SearchPage(document.body.appendChild(document.createElement('main'))).start();
