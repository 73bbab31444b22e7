import * as l10n from '@vscode/l10n';
import { setDisplayLanguage } from '../../src/wording/displayLanguage';

/** Takes the language and translations that the host put into the page; without any, texts stay in English. */
export function loadTranslations(): void {
  setDisplayLanguage(document.documentElement.lang);
  const text = document.getElementById('l10n')?.textContent ?? '{}';
  try {
    l10n.config({ contents: text });
  } catch (error) {
    console.warn('The translations could not be read.', error);
  }
}
