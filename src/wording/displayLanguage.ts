let displayed: string | undefined;

/** Where texts are shown: the language of numbers and times that come without one. BCP 47. */
export function setDisplayLanguage(language: string): void {
  displayed = language;
}

/** A language for `Intl`, which throws at one that it does not know; undefined: the machine's own. */
export function localeFor(language: string | undefined = displayed): string | undefined {
  try {
    return Intl.getCanonicalLocales(language)[0];
  } catch {
    return undefined;
  }
}

/** "10:04:05", as a clock of that language shows it. */
export function formatTimeOfDay(atMs: number, language?: string): string {
  return new Date(atMs).toLocaleTimeString(localeFor(language), { timeStyle: 'medium' });
}
