import type { BaseUrlProblem } from '../domain/failure';
import { isLoopback } from '../domain/loopback';

export type BaseUrl =
  | { readonly baseUrl: string; readonly origin: string }
  | { readonly problem: BaseUrlProblem };

/** The routes of the interface: people paste a whole address. */
const ROUTE = /\/api(?:\/(?:runs|media|marketplace|billing)(?:\/.*)?)?$/;
const WITHOUT_SCHEME = /^(?:\[[\da-f:]+\]|[\p{L}\p{N}.-]+)(?::\d+)?(?:\/[^?#@]*)?$/iu;

/**
 * Reads a base address: `https:`, or `http:` on loopback, since the key travels in a header. Returns it without
 * a trailing slash and without a trailing `/api`, `/api/runs` and the like (people paste them, and every path begins
 * with /api), or why it cannot be used.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const trimmed = text.trim();
  const completed = WITHOUT_SCHEME.test(trimmed) ? withScheme(trimmed) : undefined;
  if (completed !== undefined) return { problem: { missesScheme: completed } };
  if (!URL.canParse(trimmed)) return { problem: 'notAnAddress' };
  const url = new URL(trimmed);
  if (url.username !== '' || url.password !== '') return { problem: 'credentials' };
  if (url.search !== '' || url.hash !== '') return { problem: 'query' };
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    return { problem: 'insecure' };
  const path = url.pathname
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '')
    .replace(ROUTE, '');
  return { baseUrl: url.origin + path, origin: url.origin };
}

/** `localhost:8080` and `models.example.com` as addresses. */
function withScheme(text: string): string | undefined {
  const isHere = URL.canParse(`http://${text}`) && isLoopback(new URL(`http://${text}`).hostname);
  const address = `${isHere ? 'http' : 'https'}://${text}`;
  const isName = isHere || /[.:]/.test(text);
  return isName && URL.canParse(address) ? address : undefined;
}
