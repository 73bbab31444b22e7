import { EditorState } from '@codemirror/state';
import * as l10n from '@vscode/l10n';

/** Texts of the editor's library, in the user's language; the names are the library's own texts. */
export const editorPhrases = () =>
  EditorState.phrases.of({
    Completions: l10n.t('Suggestions'),
    'Control character': l10n.t('Control character'),
    Diagnostics: l10n.t('Problems'),
    'No diagnostics': l10n.t('No problems'),
    'Fold line': l10n.t('Fold'),
    'Unfold line': l10n.t('Unfold'),
    'folded code': l10n.t('Folded text'),
    unfold: l10n.t('Unfold'),
    'Folded lines': l10n.t('Folded lines'),
    'Unfolded lines': l10n.t('Unfolded lines'),
    to: l10n.t({ message: 'to', comment: ['Between two line numbers: “Folded lines 3 to 5.”'] }),
    'Selection deleted': l10n.t('Selection deleted'),
    close: l10n.t('Close'),
  });
