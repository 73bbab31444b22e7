/** A pattern as a tree, the input of an automaton. */
export type PatternNode =
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'assertion'; readonly holds: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly least: number; readonly most: number };

export type Assertion = 'start' | 'end' | 'wordBoundary' | 'noWordBoundary';

/**
 * Parts of a pattern of ECMA-262 under the `u` flag. A class, an escape or a literal that matches one character is
 * one token; the platform's own RegExp interprets it.
 */
const TOKENS =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u\{[\da-fA-F]+\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[A-Za-z]|\\[pP]\{[^}]*\}|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?<?[=!:]|\(\?<[^>]*>|\(\?|\{\d+(?:,\d*)?\}|[\s\S]/gu;

const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ['^', 'start'],
  ['$', 'end'],
  ['\\b', 'wordBoundary'],
  ['\\B', 'noWordBoundary'],
]);

/**
 * Parses a pattern that the platform's RegExp accepts with the `u` flag.
 *
 * @returns undefined when it looks around or back (`(?=`, `\1`, `(?i:`), which no automaton of linear time does
 */
export function parsePattern(pattern: string): PatternNode | undefined {
  const parser = new Parser(pattern.match(TOKENS) ?? []);
  return parser.pattern();
}

class Parser {
  private at = 0;
  private supported = true;

  constructor(private readonly tokens: readonly string[]) {}

  pattern(): PatternNode | undefined {
    const whole = this.choice();
    return this.supported && this.at === this.tokens.length ? whole : undefined;
  }

  private choice(): PatternNode {
    const options = [this.sequence()];
    while (this.tokens[this.at] === '|') {
      this.at += 1;
      options.push(this.sequence());
    }
    return options.length === 1 ? (options[0] as PatternNode) : { kind: 'choice', options };
  }

  private sequence(): PatternNode {
    const parts: PatternNode[] = [];
    for (
      let token = this.tokens[this.at];
      this.supported && token !== undefined;
      token = this.tokens[this.at]
    ) {
      if (token === '|' || token === ')') break;
      this.at += 1;
      parts.push(this.repeated(this.single(token)));
    }
    return { kind: 'sequence', parts };
  }

  private single(token: string): PatternNode {
    const holds = ASSERTIONS.get(token);
    if (holds) return { kind: 'assertion', holds };
    if (token.startsWith('(')) return this.group(token);
    if (/^\\[1-9k]/.test(token)) this.supported = false;
    return { kind: 'character', source: token };
  }

  private group(opening: string): PatternNode {
    if (opening !== '(' && opening !== '(?:' && !opening.endsWith('>')) this.supported = false;
    const inside = this.choice();
    this.at += 1;
    return inside;
  }

  private repeated(part: PatternNode): PatternNode {
    const bounds = boundsOf(this.tokens[this.at]);
    if (!bounds) return part;
    this.at += 1;
    // Greedy or lazy: the same texts match.
    if (this.tokens[this.at] === '?') this.at += 1;
    return { kind: 'repeat', part, ...bounds };
  }
}

function boundsOf(token = ''): { readonly least: number; readonly most: number } | undefined {
  if (token === '*') return { least: 0, most: Number.POSITIVE_INFINITY };
  if (token === '+') return { least: 1, most: Number.POSITIVE_INFINITY };
  if (token === '?') return { least: 0, most: 1 };
  const counted = /^\{(\d+)(?:(,)(\d*))?\}$/.exec(token);
  if (!counted) return undefined;
  const [, least, comma, most] = counted;
  if (comma === undefined) return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === '' ? Number.POSITIVE_INFINITY : Number(most) };
}
