import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { xmlCharacters } from '../../../src/wording/xmlCharacters';
import { iconButton } from '../../shared/buttons';
import { menuButton } from '../../shared/menu';
import { base64Of, decoded, pngOf } from '../../shared/picture';
import type { ExperimentPage } from '../page';
import { HEIGHT, WIDTH } from './plot';

export interface Figure {
  /** Part of the name of its file. */
  readonly id: string;
  readonly title: string;
  /** The content of the chart, in a sentence, for people who cannot see it. */
  readonly description: string;
  readonly drawing: TemplateResult;
  readonly height?: number;
  /** `group`: parts of the drawing can be chosen. */
  readonly role?: 'img' | 'group';
  /** The same as numbers: names of columns, then rows. */
  readonly table: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
}

/** A chart with its actions, and its numbers as a table. */
export function figureView(page: ExperimentPage, figure: Figure): TemplateResult {
  const { id, title, description, drawing, height = HEIGHT, role = 'img', table } = figure;
  const drawn = () => document.querySelector<SVGSVGElement>(`#chart-${id}`)!;
  const save = (format: 'png' | 'svg') =>
    page.ask(
      contentOf(drawn(), format).then((content) =>
        page.host.call('saveChart', { name: id, format, content }),
      ),
    );
  return html`<figure>
    <div class="title line">
      <figcaption><h3>${title}</h3></figcaption>
      <span>
        ${iconButton('copy', l10n.t('Copy as Picture'), () => page.ask(copy(drawn())), { name: l10n.t('Copy {0} as Picture', title) })}
        ${menuButton(
          l10n.t('Save {0}', title),
          () => [
            { label: 'PNG', act: () => save('png') },
            { label: 'SVG', act: () => save('svg') },
          ],
          { icon: 'save-as' },
        )}
      </span>
    </div>
    <svg id=${`chart-${id}`} class="chart" role=${role} aria-label=${`${title}. ${description}`}
      viewBox=${`0 0 ${WIDTH} ${height}`}>${drawing}</svg>
    <p class="quiet">${description}</p>
    <details>
      <summary>${l10n.t('Numbers as a table')}</summary>
      <table>
        <thead><tr>${table.head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
        <tbody>
          ${table.rows.map(
            ([first, ...rest]) =>
              html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>`,
          )}
        </tbody>
      </table>
    </details>
  </figure>`;
}

async function contentOf(drawn: SVGSVGElement, format: 'png' | 'svg'): Promise<string> {
  return format === 'svg' ? svgOf(drawn) : base64Of(await pngOfDrawing(drawn));
}

function copy(drawn: SVGSVGElement): Promise<void> {
  return navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOfDrawing(drawn) })]);
}

/** Properties that come from the page's styles: a file of its own has none. */
const STYLED = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-opacity',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
] as const;
/** Pixels of a saved picture for one of the drawing, for displays of twice the density. */
const DENSITY = 2;

/** A drawing as a file of its own, in the colours that it has on screen. */
function svgOf(drawn: SVGSVGElement): string {
  const copy = drawn.cloneNode(true) as SVGSVGElement;
  const originals = [drawn, ...drawn.querySelectorAll('*')];
  for (const [at, element] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(originals[at]!);
    for (const name of STYLED) element.setAttribute(name, style.getPropertyValue(name));
    for (const name of ['class', 'role', 'tabindex', 'aria-label', 'aria-pressed'])
      element.removeAttribute(name);
  }
  const { width, height } = drawn.viewBox.baseVal;
  const { fontFamily } = getComputedStyle(drawn);
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    width: String(width),
    height: String(height),
    'font-family': fontFamily,
    'font-size': '11',
  };
  for (const [name, value] of Object.entries(attributes)) copy.setAttribute(name, value);
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const colour = getComputedStyle(document.body).backgroundColor;
  for (const [name, value] of Object.entries({ width: '100%', height: '100%', fill: colour, stroke: 'none' }))
    ground.setAttribute(name, value);
  copy.prepend(ground);
  // lit marks its places by comments.
  return xmlCharacters(new XMLSerializer().serializeToString(copy).replaceAll(/<!--.*?-->/g, ''));
}

async function pngOfDrawing(drawn: SVGSVGElement): Promise<Blob> {
  const picture = await decoded(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgOf(drawn))}`);
  const canvas = document.createElement('canvas');
  canvas.width = picture.naturalWidth * DENSITY;
  canvas.height = picture.naturalHeight * DENSITY;
  canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return pngOf(canvas);
}
