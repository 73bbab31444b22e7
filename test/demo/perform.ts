export interface DemoStep<Subject> {
  readonly title: string;
  /** Resolves to the texts on screen. */
  readonly run: (subject: Subject) => Promise<string>;
  /** The number of the step without whose effect this one cannot happen; the first is 1. */
  readonly needs?: number;
}

/** Where steps happen, and how they are shown. */
export interface Stage<Subject> {
  readonly subject: Subject;
  /** The longest that a step may take. */
  readonly limitMs: number;
  readonly say: (line: string) => void;
  /** Resolves to the picture's file. */
  readonly picture: (name: string) => Promise<string>;
  /** Keeps the logs beside the picture of a step that did not happen. */
  readonly keepLogs: (name: string, error: unknown) => Promise<void>;
  /** Unexpected errors of the subject. */
  readonly errors: readonly string[];
}

/**
 * Performs steps one after the other, and prints the texts that each showed.
 * @returns the pictures; undefined when something was missing: then the last two lines name it, and the place of the logs
 */
export async function perform<Subject>(
  steps: readonly DemoStep<Subject>[],
  stage: Stage<Subject>,
): Promise<readonly string[] | undefined> {
  const { subject, limitMs, say, errors } = stage;
  const pictures: string[] = [];
  const happened = new Set<number>();
  let missing: { readonly what: string; readonly where: string } | undefined;
  for (const [at, { title, run, needs }] of steps.entries()) {
    const number = at + 1;
    const heading = `${String(number).padStart(2, '0')} ${title}`;
    if (needs !== undefined && !happened.has(needs)) {
      say(`\n✘ ${heading}\n     not tried: needs step ${needs}`);
      continue;
    }
    const name = heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    const began = performance.now();
    let saw: string;
    try {
      saw = await within(limitMs, run(subject));
      happened.add(number);
    } catch (error) {
      saw = error instanceof Error ? error.message.split('\n', 8).join('\n') : String(error);
      await stage.keepLogs(name, error);
      missing ??= {
        what: `step ${number}, ${title}: ${saw.split('\n', 1)[0]}`,
        where: `out/demo/${name}.txt and .png`,
      };
    }
    const picture = await stage.picture(name);
    pictures.push(picture);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    say(`\n${happened.has(number) ? '✔' : '✘'} ${heading} (${seconds} s)`);
    say(indented(saw));
    say(`     → ${picture}`);
  }
  for (const error of errors) say(`\n✘ The extension logged an error: ${error}`);
  say(`\n${happened.size} of ${steps.length} steps happened.`);
  missing ??=
    errors[0] === undefined
      ? undefined
      : { what: `nothing, but an error was logged: ${errors[0]}`, where: 'the lines above' };
  if (!missing) return pictures;
  say(`Missing: ${missing.what}`);
  say(`Look at: ${missing.where}`);
  return undefined;
}

/** The texts on screen, in a few lines: a page's text is one word a line otherwise. */
function indented(saw: string): string {
  const lines = saw
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const text = lines.length > 12 ? lines.join(' · ') : lines.join('\n');
  return (text.length > 700 ? `${text.slice(0, 700)} …` : text).replaceAll(/^/gm, '     ');
}

/** Rejects when a promise takes too long; a hanging promise is a failed step, not a hung demo. */
async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`Not done after ${Math.round(milliseconds / 1000)} s.`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([promise, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
