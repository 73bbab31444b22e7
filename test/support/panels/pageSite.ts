import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { listenOnLoopback } from '../loopback';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mp4': 'video/mp4',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wav': 'audio/wav',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
};

/** Serves the HTML of panels and the files that their pages name, to pages that know its token. */
class PageSite {
  readonly #pages = new Map<number, () => string>();
  #url = '';
  origin = '';

  async start(): Promise<void> {
    const { server, origin, url } = await listenOnLoopback(async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://page');
      const [, kind, ...rest] = pathname.split('/').map(decodeURIComponent);
      const page = kind === 'panel' ? this.#pages.get(Number(rest[0])) : undefined;
      const file = `/${rest.join('/')}`;
      const body = page?.() ?? (kind === 'file' ? await readFile(file).catch(() => undefined) : undefined);
      if (body === undefined) return void response.writeHead(404).end();
      response.setHeader('Content-Type', page ? 'text/html' : (TYPES[path.extname(file)] ?? 'text/plain'));
      response.end(body);
    });
    // A test file ends without waiting for it.
    server.unref();
    this.origin = origin;
    this.#url = url;
  }

  addressOf(file: string): string {
    return `${this.#url}/file${file.split('/').map(encodeURIComponent).join('/')}`;
  }

  addressOfPanel(number: number, html: () => string): string {
    this.#pages.set(number, html);
    return `${this.#url}/panel/${number}`;
  }
}

export const pageSite = new PageSite();
await pageSite.start();
