import { provideVSCodeDesignSystem, vsCodeProgressRing } from '@vscode/webview-ui-toolkit';

/**
 * The only place that knows the toolkit: pages use its elements by tag name. Fields of a form are the browser's own
 * controls in theme colours, because a description or an error cannot be tied to an input inside a shadow root.
 */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(vsCodeProgressRing());
  // The toolkit takes the theme's colours when the page has loaded, which it has before its script (`startScript`).
  if (document.readyState === 'complete') window.dispatchEvent(new Event('load'));
}
