import * as l10n from '@vscode/l10n';
import { html, nothing, svg } from 'lit';
import type { PartOf } from '../../../src/results/resultView';
import { formatNumber } from '../../../src/wording/number';
import { visibleText } from '../../../src/wording/plainText';
import { checkbox } from '../choices';
import { define, ResultElement } from '../element';
import { scoreText } from '../scoreText';

void import('../toolkit');

const COLORS = ['red', 'blue', 'green', 'yellow', 'purple', 'orange'];

/** Boxes and masks over the input image, and the same as a list. */
class Regions extends ResultElement<PartOf<'boxes'> | PartOf<'masks'>> {
  static override properties = {
    size: { state: true },
    isStored: { state: true },
    masks: { state: true },
    hidden_: { state: true },
    lit: { state: true },
  };
  /** Pixels of the image, once it is loaded. */
  declare size: readonly [width: number, height: number] | undefined;
  /** Boxes are those of the file's own pixels, which are shown turned: some models do not turn them. */
  declare isStored: boolean;
  declare masks: readonly (string | undefined)[] | undefined;
  declare hidden_: ReadonlySet<number> | undefined;
  declare lit: number | undefined;

  protected reset(): void {
    this.size = undefined;
    this.isStored = false;
    this.hidden_ = undefined;
    this.masks = undefined;
    if (this.shows.kind === 'masks') void this.#loadMasks(this.shows);
  }

  protected override render() {
    const { shows: part } = this;
    const items = part.kind === 'boxes' ? part.boxes : part.masks;
    return html`<div class="mb-regions">
        <div class="mb-canvas">
          ${part.over?.src ? html`<img src=${part.over.src} alt=${l10n.t('Input image')} @load=${this.#loaded} />` : nothing}
          ${part.kind === 'boxes' ? this.#boxes(part) : this.#masks()}
        </div>
        <ul aria-label=${this.name}>
          ${items.map((item, at) => this.#row(item, at))}
        </ul>
      </div>
      ${part.kind === 'boxes' && part.over?.orientation ? this.#turning() : nothing}
      ${part.kind === 'boxes' && part.orderGuessed ? html`<p class="mb-note">${l10n.t('The coordinates are read as two corners (x1, y1, x2, y2). The response does not specify their order.')}</p>` : nothing}
      ${part.total > items.length ? html`<p class="mb-note">${l10n.t('{0} in total. The JSON contains the others.', formatNumber(part.total))}</p>` : nothing}`;
  }

  #turning() {
    const name = l10n.t('Boxes of the unturned picture (the camera noted that it is to be turned)');
    return html`<p class="mb-note">${checkbox(name, this.isStored, (isStored) => {
      this.isStored = isStored;
    })}</p>`;
  }

  #row(item: { label?: string | undefined; score?: number | undefined }, at: number) {
    const label = item.label === undefined ? l10n.t('Region {0}', at + 1) : visibleText(item.label);
    const light = () => {
      this.lit = at;
    };
    const dark = () => {
      this.lit = undefined;
    };
    const name = html`<span class="mb-swatch" .style=${this.#color(item.label, at)} aria-hidden="true"></span>
      ${label} <span class="mb-score">${item.score === undefined ? '' : scoreText(item.score)}</span>`;
    return html`<li @mouseenter=${light} @mouseleave=${dark} @focusin=${light} @focusout=${dark}>
      ${checkbox(name, !this.hidden_?.has(at), () => this.#toggle(at))}
    </li>`;
  }

  #boxes(part: PartOf<'boxes'>) {
    const far = (side: 'x' | 'y') =>
      Math.max(1, ...part.boxes.map((box) => (side === 'x' ? box.x + box.width : box.y + box.height)));
    const [width, height] =
      part.unit === 'fraction' ? [1, 1] : (this.size ?? [far('x') * 1.05, far('y') * 1.05]);
    if (part.over?.src && !this.size) return nothing;
    const alone = part.over?.src ? '' : 'mb-alone';
    const turn = this.isStored ? turning(part.over?.orientation, width, height) : '';
    return html`<svg class=${alone} viewBox="0 0 ${width} ${height}" preserveAspectRatio=${alone ? 'xMidYMid' : 'none'} aria-hidden="true">
      <g transform=${turn}>${part.boxes.map((box, at) =>
        this.hidden_?.has(at)
          ? nothing
          : svg`<rect class="mb-box ${this.lit === at ? 'mb-lit' : ''}" .style=${this.#color(box.label, at)}
              x=${box.x} y=${box.y} width=${Math.max(0, box.width)} height=${Math.max(0, box.height)} />`,
      )}</g>
    </svg>`;
  }

  #masks() {
    return this.masks?.map((src, at) =>
      src === undefined || this.hidden_?.has(at)
        ? nothing
        : html`<img class="mb-mask ${this.lit === at ? 'mb-lit' : ''}" src=${src} alt="" />`,
    );
  }

  /** Alike labels get alike colours. */
  #color(label: string | undefined, at: number): string {
    const items = this.shows.kind === 'boxes' ? this.shows.boxes : this.shows.masks;
    const labels = [...new Set(items.map((item) => item.label))];
    const index = label === undefined ? at : labels.indexOf(label);
    return `color:var(--vscode-charts-${COLORS[index % COLORS.length]})`;
  }

  #toggle(at: number) {
    const next = new Set(this.hidden_);
    if (!next.delete(at)) next.add(at);
    this.hidden_ = next;
  }

  #loaded(event: Event) {
    const { naturalWidth, naturalHeight } = event.target as HTMLImageElement;
    this.size = [naturalWidth, naturalHeight];
    const { shows } = this;
    if (shows.kind !== 'boxes' || shows.unit === 'fraction' || (shows.over?.orientation ?? 0) < 5) return;
    // Some models draw a little beyond the picture.
    const haveRoom = (width: number, height: number) =>
      shows.boxes.every((box) => box.x + box.width <= width * 1.01 && box.y + box.height <= height * 1.01);
    this.isStored = !haveRoom(naturalWidth, naturalHeight) && haveRoom(naturalHeight, naturalWidth);
  }

  async #loadMasks(part: PartOf<'masks'>) {
    const loads = part.masks.map(({ media }) =>
      media.from === 'inline'
        ? this.actions.media(media.pointer).then(
            ({ src }) => src,
            () => undefined,
          )
        : undefined,
    );
    const sources = await Promise.all(loads);
    if (this.shows === part) this.masks = sources;
  }
}

/** Of each orientation of Exif: a, b, c and d of the matrix from stored to shown pixels. */
const TURNS: Readonly<Record<number, readonly [number, number, number, number]>> = {
  2: [-1, 0, 0, 1],
  3: [-1, 0, 0, -1],
  4: [1, 0, 0, -1],
  5: [0, 1, 1, 0],
  6: [0, 1, -1, 0],
  7: [0, -1, -1, 0],
  8: [0, -1, 1, 0],
};

/** The transformation from stored pixels to those of a picture that is shown in this size. */
function turning(orientation: number | undefined, width: number, height: number): string {
  const [a, b, c, d] = TURNS[orientation ?? 0] ?? [1, 0, 0, 1];
  return `matrix(${[a, b, c, d, a + c < 0 ? width : 0, b + d < 0 ? height : 0].join(' ')})`;
}

define('mb-regions', Regions);
