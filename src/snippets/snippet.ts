import { assertNever } from '../domain/assertNever';
import type { RunRequest } from '../domain/run';
import { curlSnippet } from './curl';
import { javascriptSnippet } from './javascript';
import { pythonSnippet } from './python';
import type { SnippetFile } from './requestParts';

export const SNIPPET_LANGUAGES = ['curl', 'python', 'javascript', 'typescript'] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

/**
 * A run request as complete code: curl for bash, Python with `requests`, JavaScript or TypeScript for
 * Node.js 18. Local files are uploaded first, each once; the key is read from `KEY_VARIABLE`. Nothing in the request
 * or in a file's name can become code.
 *
 * @param files the request's local files; one that is missing is named after its URI
 */
export function snippetOf(
  language: SnippetLanguage,
  baseUrl: string,
  request: RunRequest,
  files: readonly SnippetFile[] = [],
): string {
  switch (language) {
    case 'curl':
      return curlSnippet(baseUrl, request, files);
    case 'python':
      return pythonSnippet(baseUrl, request, files);
    case 'javascript':
      return javascriptSnippet(baseUrl, request, files, false);
    case 'typescript':
      return javascriptSnippet(baseUrl, request, files, true);
    default:
      return assertNever(language);
  }
}
