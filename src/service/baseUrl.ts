import * as l10n from '@vscode/l10n';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a host name of a parsed URL is this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

export type BaseUrl = { readonly baseUrl: string; readonly origin: string } | { readonly problem: string };

/**
 * Reads a base address: `https:`, or `http:` on loopback, since the key travels in a header. Returns it without
 * a trailing slash and without a trailing `/api` (people paste it, and every path begins with it), or a sentence
 * that says what to change.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) {
    return { problem: l10n.t('Enter a whole address, such as https://models.example.com.') };
  }
  const url = new URL(trimmed);
  if (url.username !== '' || url.password !== '') {
    return {
      problem: l10n.t('Leave user names and passwords out of the address: the API key is asked for next.'),
    };
  }
  if (url.search !== '' || url.hash !== '') {
    return { problem: l10n.t('Leave out everything from “?” or “#” on: only the base address is needed.') };
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    return {
      problem: l10n.t(
        'Use https:, so that your key cannot be read on the way. http: is only for this machine.',
      ),
    };
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api$/, '');
  return { baseUrl: url.origin + path, origin: url.origin };
}
