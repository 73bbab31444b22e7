import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pageNames, root } from '../support/paths';

/** The icons that a page's stylesheet has. */
const inPage = new Set(
  pageNames().flatMap((page) =>
    [
      ...readFileSync(path.join(root, `dist/webview/${page}.css`), 'utf8').matchAll(
        /\.codicon-([\w-]+):before/g,
      ),
    ].map(([, name]) => name),
  ),
);
const all = new Set(
  [
    ...readFileSync(path.join(root, 'node_modules/@vscode/codicons/dist/codicon.css'), 'utf8').matchAll(
      /\.codicon-([\w-]+):before/g,
    ),
  ].map(([, name]) => name),
);

describe('The icons of the package', () => {
  it('are those that the pages name', () => {
    const named = readdirSync(path.join(root, 'webview'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [
        ...readFileSync(path.join(root, 'webview', file), 'utf8').matchAll(
          /codicon-([a-z][a-z-]*)|\bicon\('([a-z-]+)'/g,
        ),
      ])
      .map(([, one, other]) => one ?? other);
    assert.ok(named.length > 20);
    assert.deepEqual(
      named.filter((name) => name !== undefined && (!all.has(name) || !inPage.has(name))),
      [],
    );
  });

  it('are not all that there are', () => {
    assert.ok(inPage.size < all.size / 3, `${inPage.size} of ${all.size}`);
  });
});
