/** Puts a picture into the clipboard. The clipboard takes PNG only, so others are converted. */
export async function copyImage(src: string): Promise<void> {
  const picture = new Image();
  picture.crossOrigin = 'anonymous';
  picture.src = src;
  await picture.decode();
  const canvas = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight);
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  const png = await canvas.convertToBlob({ type: 'image/png' });
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
}
