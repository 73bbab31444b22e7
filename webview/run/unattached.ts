import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { Json } from '../../src/domain/json';
import { isLocalRef, isMediaObject } from '../../src/domain/media';
import { childPointer } from '../../src/domain/pointer';
import { setAt } from '../../src/domain/value';
import { toolButton } from '../shared/buttons';
import { icon } from '../shared/icon';
import { attachUris, mediaValue } from './files';
import type { RunPage } from './page';

/** A local file that a draft names and that the user did not attach: typed, pasted, or of an example. */
interface Unattached {
  readonly uri: string;
  /** Of the media object, or of the string in place of one. */
  readonly pointer: string;
}

const MOST_LISTED = 20;

/** The files that the request names without being attached, each with a button that attaches it in its place. */
export function unattachedFiles(page: RunPage): unknown {
  const { work } = page.state;
  if (!work || page.isBroken) return nothing;
  const { input, params } = work.draft;
  const files = [...filesIn(input, '/input'), ...filesIn(params, '/params')];
  const list = files.filter(({ uri }) => !page.files.has(uri)).slice(0, MOST_LISTED);
  if (list.length === 0) return nothing;
  return html`<div class="banner" role="group" aria-label=${l10n.t('Files that are not attached')}>
    ${icon('warning')}
    <div>
      ${l10n.t('The request names local files. A file is read and sent only once you attach it:')}
      <ul>
        ${list.map(
          (file) => html`<li>
            <code>${file.uri}</code>
            ${toolButton('file-add', l10n.t('Attach'), () => page.arrive(attach(page, file)))}
          </li>`,
        )}
      </ul>
    </div>
  </div>`;
}

async function attach(page: RunPage, { uri, pointer }: Unattached): Promise<void> {
  const [file] = await attachUris(page, [uri]);
  if (file) page.editDraft((draft) => setAt(draft, pointer, mediaValue(file)));
}

function filesIn(value: Json, pointer: string): Unattached[] {
  if (typeof value === 'string') return isFileText(value) ? [{ uri: value, pointer }] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (isMediaObject(value)) return isLocalRef(value.media_ref) ? [{ uri: value.media_ref, pointer }] : [];
  return Object.entries(value).flatMap(([key, item]) => filesIn(item, childPointer(pointer, key)));
}

/** Whether a string is only the address of a local file. */
function isFileText(text: string): boolean {
  return isLocalRef(text) && /^[\w-]+:\/\/\S*\/[^\s/]+$/.test(text);
}
