import { decoded, pngOf } from '../../shared/picture';

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
export function svgOf(drawn: SVGSVGElement): string {
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
  return new XMLSerializer().serializeToString(copy).replaceAll(/<!--.*?-->/g, '');
}

export async function pngOfDrawing(drawn: SVGSVGElement): Promise<Blob> {
  const picture = await decoded(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgOf(drawn))}`);
  const canvas = document.createElement('canvas');
  canvas.width = picture.naturalWidth * DENSITY;
  canvas.height = picture.naturalHeight * DENSITY;
  canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return pngOf(canvas);
}
