/** Characters that any script lays out in a few milliseconds. */
const PIECE = 2_000;
/** Milliseconds of a text's layout, and of a turn that tries it. */
const MOST_MS = 100;
/** Texts whose time is kept. */
const KEPT = 200;
/** The first font has all of these, and their lines are broken at spaces: 100,000 take 25 ms, and as many lines 600 ms. */
const LATIN = /^[\t\n\r -~\u00a0-\u00ac\u00ae-\u024f\u2010-\u2026]*$/;

const known = new Map<string, string>();
const trying = new Map<string, Promise<string>>();

/** The beginning of a text that is shown before it is known how long the rest takes: mostly all of it. */
export function shownAtOnce(text: string): string {
  const isQuick = text.length <= PIECE || (LATIN.test(text) && text.split('\n', PIECE).length < PIECE);
  return isQuick ? text : (known.get(text) ?? text.slice(0, PIECE));
}

/**
 * The beginning of a text that this window lays out in time: mostly all of it. Each character of another script may need a
 * font that has to be searched for, lines of some scripts are broken by a dictionary (twice as many characters without a
 * space then take four times as long), and each line takes memory. The fonts that are installed decide how long that
 * takes: a hidden text box, where it takes longest, tries ever longer beginnings.
 */
export function laidOutInTime(text: string): Promise<string> {
  const beginning = shownAtOnce(text);
  if (beginning === text || known.has(text)) return Promise.resolve(beginning);
  const tried =
    trying.get(text) ??
    tryOut(text).then((shown) => {
      trying.delete(text);
      if (known.size >= KEPT) known.clear();
      known.set(text, shown);
      return shown;
    });
  trying.set(text, tried);
  return tried;
}

async function tryOut(text: string): Promise<string> {
  const probe = document.createElement('textarea');
  probe.ariaHidden = 'true';
  probe.style.cssText = 'contain: strict; position: fixed; visibility: hidden; width: 100%';
  let shown = PIECE;
  for (let took = 0; 4 * took < MOST_MS && shown < text.length; shown *= 2) {
    await new Promise((resolve) => setTimeout(resolve));
    // The first drawing of a page removes it.
    if (!probe.isConnected) document.body.append(probe);
    // The rest of the page is not this text's.
    void probe.offsetHeight;
    const begun = performance.now();
    // As Markdown shows it.
    probe.value = text.slice(0, 2 * shown).replaceAll('\0', '\ufffd');
    void probe.scrollHeight;
    took = performance.now() - begun;
  }
  probe.remove();
  return text.slice(0, shown);
}
