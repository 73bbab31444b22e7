import * as l10n from '@vscode/l10n';
import { DeadlineThread } from '../../src/protocol/deadlineThread';
import source from './markdownWorker.ts?text';

/** Enough for every description of a form; the texts of results would only use memory. */
const KEPT = 200;
/** HTML by text; while it is made, and for ever where it cannot be, undefined. */
const made = new Map<string, string | undefined>();
const waiting = new Map<string, Promise<string | undefined>>();

/** Milliseconds for one text: 100 kB of an honest one take half of it, and of the costliest 400 MB at most. */
const DEADLINE = 600;
/** Characters of HTML: references make more of it than of their text, and a page has to lay it out. */
const LONGEST_HTML = 500_000;

/** The page's policy: it makes HTML of the thread's responses alone, and starts that thread alone. */
const maker = trustedTypes.createPolicy('markdown', {
  createHTML: (html) => html,
  createScriptURL: (address) => address,
});

const thread = new DeadlineThread<string, string>(() => {
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(maker.createScriptURL(address));
  URL.revokeObjectURL(address);
  return {
    post: (text) => worker.postMessage(text),
    listen: (received, failed) => {
      worker.onmessage = ({ data }) => received(data as string);
      worker.onerror = failed;
    },
    end: () => worker.terminate(),
  };
});

/** The HTML of a text, if it was made before. */
export function knownHtml(text: string): string | undefined {
  return made.get(text);
}

/**
 * Markdown as HTML that a template may contain. micromark shows markup in it as text and drops addresses of other
 * schemes than the web's; pictures become links, because a page reaches no network.
 * @returns undefined: it took too long, or would be too long
 */
export function markdownHtml(text: string): Promise<string | undefined> {
  if (made.has(text)) return Promise.resolve(made.get(text));
  const known = waiting.get(text);
  if (known !== undefined) return known;
  const making = thread.ask(text, DEADLINE).then((html) => {
    waiting.delete(text);
    if (made.size >= KEPT) made.clear();
    made.set(text, html === undefined || html.length > LONGEST_HTML ? undefined : forPage(html));
    return made.get(text);
  });
  waiting.set(text, making);
  return making;
}

function forPage(html: string): string {
  const template = document.createElement('template');
  template.innerHTML = maker.createHTML(html);
  const { content } = template;
  for (const picture of content.querySelectorAll('img')) {
    const link = document.createElement('a');
    link.href = picture.getAttribute('src') ?? '';
    link.textContent = picture.alt === '' ? l10n.t('Picture') : l10n.t('Picture: {0}', picture.alt);
    picture.replaceWith(link);
  }
  // Headings are below the panel's own; identifiers and labels of footnotes must not meet the page's.
  for (const heading of content.querySelectorAll('h1, h2, h3')) {
    const lower = document.createElement('h4');
    lower.className = `mb-${heading.tagName.toLowerCase()}`;
    lower.append(...heading.childNodes);
    heading.replaceWith(lower);
  }
  for (const named of content.querySelectorAll('[id]')) named.removeAttribute('id');
  return template.innerHTML;
}
