import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

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
  readonly #token = randomUUID();
  origin = '';

  async start(): Promise<void> {
    const server = createServer(async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://page');
      const [, token, kind, ...rest] = pathname.split('/').map(decodeURIComponent);
      const page = kind === 'panel' ? this.#pages.get(Number(rest[0])) : undefined;
      if (token !== this.#token || (kind === 'panel' && !page)) return void response.writeHead(403).end();
      const file = `/${rest.join('/')}`;
      const body = page ? page() : await readFile(file).catch(() => undefined);
      if (body === undefined) return void response.writeHead(404).end();
      response.setHeader('Content-Type', page ? 'text/html' : (TYPES[path.extname(file)] ?? 'text/plain'));
      response.end(body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A test file ends without waiting for it.
    server.unref();
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  addressOf(file: string): string {
    return `${this.origin}/${this.#token}/file${file.split('/').map(encodeURIComponent).join('/')}`;
  }

  addressOfPanel(number: number, html: () => string): string {
    this.#pages.set(number, html);
    return `${this.origin}/${this.#token}/panel/${number}`;
  }
}

export const pageSite = new PageSite();
await pageSite.start();
