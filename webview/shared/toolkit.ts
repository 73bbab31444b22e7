import {
  provideVSCodeDesignSystem,
  vsCodeCheckbox,
  vsCodeProgressRing,
  vsCodeRadio,
  vsCodeRadioGroup,
} from '@vscode/webview-ui-toolkit';

/**
 * The toolkit's elements, whose tags only `choices.ts` has: a page without a form loads them after its first rendering.
 * Role and state of these are on their hosts, so that names, descriptions and errors of the page reach them. Those of
 * its fields, buttons and lists of tabs are inside of shadow roots, where no description, no menu and no name reaches
 * them: these stay the browser's own controls in theme colors. Its badges and tags have a style attribute, which the
 * pages' policy forbids; its divider is a rule.
 */
provideVSCodeDesignSystem().register(
  vsCodeCheckbox(),
  vsCodeProgressRing(),
  vsCodeRadio(),
  vsCodeRadioGroup(),
);
// The toolkit takes the theme's colors when the page has loaded, which it has before its script (`startScript`).
if (document.readyState === 'complete') window.dispatchEvent(new Event('load'));
