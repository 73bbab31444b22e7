/** Characters that are laid out in one turn: of the costliest scripts they take 25 ms. */
const PIECE = 2_000;
/** Milliseconds for one text. */
const DEADLINE = 250;
/** Texts whose time is kept. */
const KEPT = 200;
/** The first font has all of these, and their lines are broken at spaces: 100,000 take 25 ms. */
const LATIN = /^[\t\n\r -~\u00a0-\u00ac\u00ae-\u024f\u2010-\u2026]*$/;

const known = new Map<string, Promise<string>>();

/** The beginning of a text that is shown before it is known how long the rest takes: mostly all of it. */
export function shownAtOnce(text: string): string {
  return text.length <= PIECE || LATIN.test(text) ? text : text.slice(0, PIECE);
}

/**
 * The beginning of a text that this window lays out in time: mostly all of it. Each character of another script may need a
 * font that has to be searched for, and lines of some scripts are broken by a dictionary. The fonts that are installed
 * decide how long that takes: a hidden element tries it, in turns.
 */
export function laidOutInTime(text: string): Promise<string> {
  if (shownAtOnce(text) === text) return Promise.resolve(text);
  const tried = known.get(text) ?? tryOut(text);
  if (known.size >= KEPT) known.clear();
  known.set(text, tried);
  return tried;
}

async function tryOut(text: string): Promise<string> {
  const probe = document.createElement('pre');
  probe.ariaHidden = 'true';
  probe.style.cssText =
    'contain: strict; position: fixed; visibility: hidden; white-space: pre-wrap; width: 100%';
  document.body.append(probe);
  let at = 0;
  for (let left = DEADLINE; left > 0 && at < text.length; at += PIECE) {
    await new Promise((resolve) => setTimeout(resolve));
    // The rest of the page is not this text's.
    void probe.offsetHeight;
    const begun = performance.now();
    probe.textContent = text.slice(at, at + PIECE);
    void probe.offsetHeight;
    left -= performance.now() - begun;
  }
  probe.remove();
  return text.slice(0, at);
}
