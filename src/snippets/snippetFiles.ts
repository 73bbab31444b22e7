import { localRefs } from '../domain/media';
import { percentDecoded } from '../domain/percentDecoded';
import type { RunRequest } from '../domain/run';
import type { SnippetFile } from './requestParts';

/** The local files of a request that are known: by path if they have one. */
export function snippetFiles(
  { input, params }: RunRequest,
  fileOf: (ref: string) => { readonly filename: string; readonly contentType: string } | undefined,
): SnippetFile[] {
  return localRefs(input, params).flatMap((ref): SnippetFile[] => {
    const file = fileOf(ref);
    if (!file) return [];
    const { filename, contentType } = file;
    const family = contentType.split('/', 1)[0] ?? '';
    const mediaType = ['image', 'audio', 'video'].includes(family) ? family : 'file';
    return [{ ref, path: pathOf(ref) ?? filename, filename, contentType, mediaType }];
  });
}

/** The path of a file URI: "/home/me/cat.png", "C:/cats/cat.png". */
function pathOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  return percentDecoded(uri.replace(/^file:(\/\/[^/]*)?/, '')).replace(/^\/([A-Za-z]:)/, '$1');
}
