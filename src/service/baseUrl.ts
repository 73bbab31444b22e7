import type { BaseUrlProblem } from '../domain/failure';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a host name of a parsed URL is this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

export type BaseUrl =
  | { readonly baseUrl: string; readonly origin: string }
  | { readonly problem: BaseUrlProblem };

/**
 * Reads a base address: `https:`, or `http:` on loopback, since the key travels in a header. Returns it without
 * a trailing slash and without a trailing `/api` (people paste it, and every path begins with it), or why it
 * cannot be used.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) {
    return { problem: 'notAnAddress' };
  }
  const url = new URL(trimmed);
  if (url.username !== '' || url.password !== '') {
    return { problem: 'credentials' };
  }
  if (url.search !== '' || url.hash !== '') {
    return { problem: 'query' };
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    return { problem: 'insecure' };
  }
  const path = url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/api$/, '');
  return { baseUrl: url.origin + path, origin: url.origin };
}
