import * as l10n from '@vscode/l10n';
import { html, nothing, svg } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { PartOf } from '../../../src/results/resultView';
import { formatNumber } from '../../../src/wording/number';
import { plainLine } from '../../../src/wording/plainText';
import { checkbox } from '../choices';
import { define, ResultElement } from '../element';
import { loaded } from '../picture';
import { scoreText } from '../scoreText';

void import('../toolkit');

const COLORS = ['red', 'blue', 'green', 'yellow', 'purple', 'orange'];

type Size = readonly [width: number, height: number];

/** A mask that was loaded. */
interface Mask {
  readonly src: string;
  readonly size: Size;
}

/** Boxes and masks over the input image, and the same as a list. */
class Regions extends ResultElement<PartOf<'boxes'> | PartOf<'masks'>> {
  static override properties = {
    size: { state: true },
    isTurned: { state: true },
    masks: { state: true },
    hidden_: { state: true },
    lit: { state: true },
  };
  /** Pixels of the image, once it is loaded. */
  declare size: Size | undefined;
  /** The model has turned a photograph that the browser does not turn, or the other way round. */
  declare isTurned: boolean;
  declare masks: readonly (Mask | undefined)[] | undefined;
  declare hidden_: ReadonlySet<number> | undefined;
  declare lit: number | undefined;

  protected reset(): void {
    this.size = undefined;
    this.isTurned = false;
    this.hidden_ = undefined;
    this.masks = undefined;
    if (this.shows.kind === 'masks') void this.#loadMasks(this.shows);
  }

  protected override render() {
    const { shows: part } = this;
    const items = part.kind === 'boxes' ? part.boxes : part.masks;
    return html`<div class="mb-regions">
        <div class="mb-canvas">
          ${part.over?.src ? keyed(part, html`<img src=${part.over.src} alt=${l10n.t('Input image')} @load=${this.#loaded} />`) : nothing}
          ${this.#regions(part)}
        </div>
        <ul aria-label=${this.name}>
          ${items.map((item, at) => this.#row(item, at))}
        </ul>
      </div>
      ${part.over?.turn ? this.#turning() : nothing}
      ${part.kind === 'boxes' && part.orderGuessed ? html`<p class="mb-note">${l10n.t('The coordinates are read as two corners (x1, y1, x2, y2). The response does not specify their order.')}</p>` : nothing}
      ${part.total > items.length ? html`<p class="mb-note">${l10n.t('{0} in total. The JSON contains the others.', formatNumber(part.total))}</p>` : nothing}`;
  }

  #turning() {
    const name = l10n.t('Turn the regions (the camera noted that the picture is to be turned)');
    return html`<p class="mb-note">${checkbox(name, this.isTurned, (isTurned) => {
      this.isTurned = isTurned;
    })}</p>`;
  }

  #row(item: { label?: string | undefined; score?: number | undefined }, at: number) {
    const label = item.label === undefined ? l10n.t('Region {0}', at + 1) : plainLine(item.label);
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

  #regions(part: PartOf<'boxes'> | PartOf<'masks'>) {
    const shown = this.#space(part);
    if (!shown) return nothing;
    const [width, height] = shown;
    const turn = this.isTurned ? part.over?.turn : undefined;
    const alone = part.over?.src ? '' : 'mb-alone';
    const lit = (at: number) => (this.lit === at ? 'mb-lit' : '');
    const all =
      part.kind === 'boxes'
        ? part.boxes.map(
            (box, at) => svg`<rect class="mb-box ${lit(at)}" .style=${this.#color(box.label, at)}
              x=${box.x} y=${box.y} width=${Math.max(0, box.width)} height=${Math.max(0, box.height)} />`,
          )
        : (this.masks ?? []).map((mask, at) =>
            mask
              ? svg`<image class="mb-mask ${lit(at)}" href=${mask.src} preserveAspectRatio="none"
                  width=${liesDown(turn) ? height : width} height=${liesDown(turn) ? width : height} />`
              : nothing,
          );
    return html`<svg class=${alone} viewBox="0 0 ${width} ${height}" preserveAspectRatio=${alone ? 'xMidYMid' : 'none'} aria-hidden="true">
      <g transform=${turning(turn, width, height)}>${all.filter((_, at) => !this.hidden_?.has(at))}</g>
    </svg>`;
  }

  /** The size in which regions are drawn; undefined: not known yet. */
  #space(part: PartOf<'boxes'> | PartOf<'masks'>): Size | undefined {
    if (part.over?.src && !this.size) return undefined;
    if (part.kind === 'masks') return this.size ?? this.#maskSize;
    if (part.unit === 'fraction') return [1, 1];
    const far = (side: 'x' | 'y') =>
      Math.max(1, ...part.boxes.map((box) => (side === 'x' ? box.x + box.width : box.y + box.height)));
    return this.size ?? [far('x') * 1.05, far('y') * 1.05];
  }

  get #maskSize(): Size | undefined {
    return this.masks?.find((mask) => mask !== undefined)?.size;
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
    this.#chooseTurn();
  }

  /** Where the regions fit the picture only if it lies on its other side, the model has read it so. */
  #chooseTurn() {
    const { shows, size } = this;
    if (!size || !liesDown(shows.over?.turn)) return;
    const [width, height] = size;
    const other: Size = [height, width];
    if (shows.kind === 'masks') {
      const mask = this.#maskSize;
      this.isTurned = mask !== undefined && skew(mask, other) < skew(mask, size);
    } else if (shows.unit !== 'fraction') {
      const haveRoom = ([right, bottom]: Size) =>
        // Some models draw a little beyond the picture.
        shows.boxes.every((box) => box.x + box.width <= right * 1.01 && box.y + box.height <= bottom * 1.01);
      this.isTurned = !haveRoom(size) && haveRoom(other);
    }
  }

  async #loadMasks(part: PartOf<'masks'>) {
    const loads = part.masks.map(({ media }) =>
      media.from === 'inline'
        ? this.actions.media(media.pointer).then(
            ({ src }) => loadedMask(src),
            () => undefined,
          )
        : undefined,
    );
    const masks = await Promise.all(loads);
    if (this.shows !== part) return;
    this.masks = masks;
    this.#chooseTurn();
  }
}

async function loadedMask(src: string): Promise<Mask | undefined> {
  try {
    const { naturalWidth, naturalHeight } = await loaded(src);
    return { src, size: [naturalWidth, naturalHeight] };
  } catch {
    return undefined;
  }
}

/** How much two sizes differ in shape; 0: not at all. */
function skew(a: Size, b: Size): number {
  return Math.abs(Math.log((a[0] * b[1]) / (a[1] * b[0])));
}

/** Whether a turn exchanges width and height. */
function liesDown(turn: number | undefined): boolean {
  return (turn ?? 0) >= 5;
}

/** Of each orientation of Exif: a, b, c and d of the matrix from those pixels to the turned ones. */
const TURNS: Readonly<Record<number, readonly [number, number, number, number]>> = {
  2: [-1, 0, 0, 1],
  3: [-1, 0, 0, -1],
  4: [1, 0, 0, -1],
  5: [0, 1, 1, 0],
  6: [0, 1, -1, 0],
  7: [0, -1, -1, 0],
  8: [0, -1, 1, 0],
};

/** The transformation to the pixels of a picture that is shown in this size. */
function turning(turn: number | undefined, width: number, height: number): string {
  const [a, b, c, d] = TURNS[turn ?? 0] ?? [1, 0, 0, 1];
  return `matrix(${[a, b, c, d, a + c < 0 ? width : 0, b + d < 0 ? height : 0].join(' ')})`;
}

define('mb-regions', Regions);
