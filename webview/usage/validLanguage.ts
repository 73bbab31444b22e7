/**
 * uPlot makes a number format of `navigator.language` when it is loaded, and throws for an invalid language tag:
 * Chromium says "en-US@posix" where the system's locale is C. To be imported before it.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
}
