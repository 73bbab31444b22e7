import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { textButton } from '../shared/buttons';
import { define, PageElement } from '../shared/element';
import { swipe } from '../shared/swipe';

interface ComparedPicture {
  readonly src: string;
  readonly name: string;
}

type Mode = 'beside' | 'swipe' | 'blink';

/** Milliseconds that each picture is in sight: slow enough for eyes that are sensitive to flashes (WCAG 2.3.1). */
const BLINK_MS = 700;

/** Two pictures in one place: side by side, with a line that is moved over them, or in turns. */
class ComparePictures extends PageElement {
  static override properties: PropertyDeclarations = {
    pictures: { attribute: false },
    mode: { state: true },
    share: { state: true },
    isSecond: { state: true },
  };
  declare pictures: readonly [ComparedPicture, ComparedPicture];
  declare mode: Mode;
  /** How much of the first picture is in sight, in percent. */
  declare share: number;
  declare isSecond: boolean;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.mode = 'beside';
    this.share = 50;
    this.isSecond = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
  }

  protected override render(): TemplateResult {
    const [first, second] = this.pictures;
    const modes: readonly (readonly [Mode, string])[] = [
      ['beside', l10n.t('Side by Side')],
      ['swipe', l10n.t('Swipe')],
      ['blink', l10n.t('Blink')],
    ];
    return html`<div class="filter line wraps" role="group" aria-label=${l10n.t('Compare pictures')}>
        ${modes.map(([mode, label]) => textButton(label, () => this.#choose(mode), { pressed: mode === this.mode }))}
      </div>
      ${this.mode === 'beside' ? nothing : this.#stacked(first, second)}
      ${
        this.mode === 'beside'
          ? html`<div class="cells-beside">${[first, second].map((one) => html`<img src=${one.src} alt=${one.name} />`)}</div>`
          : nothing
      }`;
  }

  #stacked(first: ComparedPicture, second: ComparedPicture): TemplateResult {
    if (this.mode === 'swipe')
      return swipe(first, second, this.share, (share) => {
        this.share = share;
      });
    return html`<div class="stacked">
        <img src=${second.src} alt=${second.name} />
        ${this.isSecond ? nothing : html`<img src=${first.src} alt=${first.name} />`}
      </div>
      <p><strong>${this.isSecond ? second.name : first.name}</strong>
        ${textButton(l10n.t('Show the Other'), () => this.#turn())}
        ${textButton(this.#timer === undefined ? l10n.t('Play') : l10n.t('Pause'), () => this.#play(this.#timer === undefined))}</p>`;
  }

  #choose(mode: Mode): void {
    this.mode = mode;
    const isStill =
      document.body.classList.contains('vscode-reduce-motion') ||
      matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#play(mode === 'blink' && !isStill);
  }

  #turn(): void {
    this.#play(false);
    this.isSecond = !this.isSecond;
  }

  #play(isOn: boolean): void {
    this.#stop();
    if (isOn)
      this.#timer = setInterval(() => {
        this.isSecond = !this.isSecond;
      }, BLINK_MS);
    this.requestUpdate();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

define('mb-compare-pictures', ComparePictures);

export function comparePictures(first: ComparedPicture, second: ComparedPicture): TemplateResult {
  return html`<mb-compare-pictures .pictures=${[first, second]}></mb-compare-pictures>`;
}
