import { html, type TemplateResult } from 'lit';
import { assertNever } from '../../src/domain/assertNever';
import type { ShownInput } from '../../src/protocol/experiment';
import { icon } from '../shared/icon';

/** A thumbnail, the sign of another medium, or the text of an input. */
export function inputPart({ medium, text, src }: ShownInput): TemplateResult {
  switch (medium) {
    case 'image':
      return src === undefined
        ? html`<span class="outcome">${icon('file-media')} ${text}</span>`
        : html`<mb-thumbnail .src=${src} title=${text}></mb-thumbnail>`;
    case 'audio':
      return html`<span class="outcome">${icon('unmute')} ${text}</span>`;
    case 'video':
      return html`<span class="outcome">${icon('device-camera-video')} ${text}</span>`;
    case 'file':
      return html`<span class="outcome">${icon('file')} ${text}</span>`;
    case 'text':
      return html`<span class="outcome" title=${text}>${text}</span>`;
    default:
      return assertNever(medium);
  }
}
