import type { RunRequest } from '../domain/run';
import { curlSnippet } from './curl';
import { javascriptSnippet } from './javascript';
import { pythonSnippet } from './python';
import { type MarkedRequest, markFiles, type SnippetFile } from './requestParts';

export const SNIPPET_LANGUAGES = ['curl', 'python', 'javascript', 'typescript'] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

/** The language of a name; curl for one that is not known. */
export function snippetLanguage(name: string | undefined): SnippetLanguage {
  return SNIPPET_LANGUAGES.find((known) => known === name) ?? 'curl';
}

/**
 * A run request as complete code: curl for bash, Python with `requests`, JavaScript or TypeScript for Node.js 18.
 * Local files are uploaded first, each once; the key is read from `KEY_VARIABLE`. No text of the request or of a
 * file's name can become code.
 *
 * @param files the request's local files; one that is missing is named after its URI
 */
export function snippetOf(
  language: SnippetLanguage,
  baseUrl: string,
  request: RunRequest,
  files: readonly SnippetFile[] = [],
): string {
  return WRITERS[language](baseUrl.replace(/(?<!\/)\/+$/, ''), markFiles(request, files));
}

/** Each takes the base URL without its trailing slash, so that paths can be put after it. */
const WRITERS: Record<SnippetLanguage, (baseUrl: string, request: MarkedRequest) => string> = {
  curl: curlSnippet,
  python: pythonSnippet,
  javascript: (baseUrl, request) => javascriptSnippet(baseUrl, request, false),
  typescript: (baseUrl, request) => javascriptSnippet(baseUrl, request, true),
};
