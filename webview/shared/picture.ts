import * as l10n from '@vscode/l10n';

/**
 * Pixels of a picture that is shown, those of 50 megapixels: a few kilobytes can claim gigabytes. Decoded and once more
 * for a smaller drawing, they take 390 MiB of a page.
 */
const MOST_PIXELS = 51_000_000;

const isTooLarge = ({ naturalWidth, naturalHeight }: HTMLImageElement) =>
  naturalWidth * naturalHeight > MOST_PIXELS;

/**
 * Lets no element of the page show a picture that is too large: its size is known when it is loaded, and the style of the
 * page hides it until then, since a painted picture is decoded. For the element it has failed to load.
 */
export function refuseLargePictures(): void {
  const judge = (event: Event) => {
    const { target: picture } = event;
    if (!(picture instanceof HTMLImageElement)) return;
    picture.dataset.judged = '';
    if (!isTooLarge(picture)) return;
    event.stopImmediatePropagation();
    picture.removeAttribute('src');
    if (picture.alt === '') picture.alt = l10n.t('Cannot be shown');
    picture.dispatchEvent(new Event('error'));
  };
  document.addEventListener('load', judge, { capture: true });
  document.addEventListener('error', judge, { capture: true });
  const other = new MutationObserver((changes) => {
    for (const { target } of changes) delete (target as HTMLElement).dataset.judged;
  });
  other.observe(document, { subtree: true, attributeFilter: ['src'] });
}

/**
 * Whether an address or a content type is that of an SVG. The page itself draws one, and a few lines of it can take any
 * time and memory: it is drawn only when the user asks for that very one.
 */
export const isDrawing = (addressOrType: string) =>
  /^(?:data:)?image\/svg|\.svg(?:$|[?#])/i.test(addressOrType);

/** A picture that is shown unasked: not too large, and no SVG. A canvas gives back pixels of another origin only where they were asked for like this. */
export function loaded(src: string): Promise<HTMLImageElement> {
  return isDrawing(src) ? Promise.reject(new Error('The picture is an SVG.')) : loadedUnlessLarge(src);
}

async function loadedUnlessLarge(src: string): Promise<HTMLImageElement> {
  const picture = new Image();
  picture.crossOrigin = 'anonymous';
  await new Promise((resolve, reject) => {
    const fail = () => reject(new Error('The picture cannot be shown.'));
    picture.onload = (event) => (isTooLarge(picture) ? fail() : resolve(event));
    picture.onerror = fail;
    picture.src = src;
  });
  return picture;
}

/**
 * A picture that the user has asked for, or one of our own.
 * @throws where this window cannot decode it
 */
export async function decoded(src: string): Promise<HTMLImageElement> {
  const picture = await loadedUnlessLarge(src);
  await picture.decode();
  return picture;
}

/** The drawing of a canvas as a file. */
export function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.')))),
  );
}

export function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Puts a picture into the clipboard. The clipboard takes PNG only, so others are converted. */
export async function copyImage(src: string): Promise<void> {
  const picture = await decoded(src);
  const canvas = document.createElement('canvas');
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': await pngOf(canvas) })]);
}
