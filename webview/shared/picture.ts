/** A picture. A canvas gives back pixels of another origin only where they were asked for like this. */
export async function loaded(src: string): Promise<HTMLImageElement> {
  const picture = new Image();
  picture.crossOrigin = 'anonymous';
  await new Promise((resolve, reject) => {
    picture.onload = resolve;
    picture.onerror = () => reject(new Error('The picture cannot be shown.'));
    picture.src = src;
  });
  return picture;
}

/** @throws where this window cannot decode it */
export async function decoded(src: string): Promise<HTMLImageElement> {
  const picture = await loaded(src);
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
