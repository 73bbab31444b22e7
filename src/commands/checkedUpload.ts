import * as l10n from '@vscode/l10n';
import { mediaTypeOf } from '../domain/media';
import { checkedType, fileFaultText, headAt } from '../intake/fileCheck';
import type { UploadSource } from '../service/client';
import { fileBytes } from '../service/fileBytes';

/**
 * A file as an upload, its first bytes checked.
 * @param accept media types that the field takes; missing: all
 * @throws a sentence where it is not of the type that its name promises, or that the field takes
 */
export async function checkedUpload(
  {
    path,
    filename,
    sizeBytes,
  }: { readonly path: string; readonly filename: string; readonly sizeBytes: number },
  accept?: readonly string[],
): Promise<UploadSource> {
  const checked = checkedType({ filename, sizeBytes, head: await headAt(path) }, accept);
  if ('fault' in checked) throw new Error(fileFaultText(checked, filename));
  const { contentType } = checked;
  const mediaType = mediaTypeOf(contentType);
  if (mediaType === undefined)
    throw new Error(l10n.t('The media type of “{0}” cannot be determined from its name.', filename));
  return { filename, contentType, mediaType, sizeBytes, open: () => fileBytes(path) };
}
