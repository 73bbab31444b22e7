import { html, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import type { SnippetLanguage } from '../../src/snippets/snippet';

/** A longer text is not colored: a page would stall over its elements. */
const MOST_COLORED = 40_000;

/** Code that is read, in the colors of the JSON editor. */
export function codeBlock(text: string, language: CodeLanguage, name?: string): TemplateResult {
  const pieces = text.length > MOST_COLORED ? text : codeTokens(text, language).map(piece);
  return html`<pre class="code-block" tabindex="0" role=${ifDefined(name && 'region')} aria-label=${ifDefined(name)}>${pieces}</pre>`;
}

function piece({ kind, text }: ReturnType<typeof codeTokens>[number]): unknown {
  return kind ? html`<span class="token-${kind}">${text}</span>` : text;
}

export type CodeLanguage = SnippetLanguage | 'json';

/** The kinds that VS Code has a color for in webviews: its syntax themes are not there. */
interface Token {
  /** Missing: plain text. */
  readonly kind?: 'comment' | 'string' | 'number' | 'keyword' | 'name';
  readonly text: string;
}

const SCRIPT_WORDS =
  words(`as async await break case catch class const continue default delete do else export extends false
  finally for from function if import in instanceof interface let new null of return switch throw true try type typeof
  undefined void while`);

interface Grammar {
  /** As the source of a regular expression without groups; missing: the language has none. */
  readonly comment?: string;
  readonly string: string;
  readonly keywords: ReadonlySet<string>;
}

const DOUBLE = String.raw`"(?:[^"\\]|\\[^])*"?`;
const SINGLE = String.raw`'(?:[^'\\]|\\[^])*'?`;

const SCRIPT: Grammar = {
  comment: String.raw`\/\/.*|\/\*[^]*?\*\/`,
  string: [DOUBLE, SINGLE, String.raw`${'`'}(?:[^${'`'}\\]|\\[^])*${'`'}?`].join('|'),
  keywords: SCRIPT_WORDS,
};

const GRAMMARS: Readonly<Record<CodeLanguage, Grammar>> = {
  json: { string: DOUBLE, keywords: words('true false null') },
  curl: {
    comment: String.raw`(?<![^\s])#.*`,
    // Between single quotes a backslash is a character like others.
    string: [DOUBLE, `'[^']*'?`].join('|'),
    keywords: words(
      'case curl do done echo elif else esac exit export fi for function if in local printf return set then while',
    ),
  },
  python: {
    comment: '#.*',
    string: ['"""[^]*?"""', DOUBLE, SINGLE].join('|'),
    keywords:
      words(`and as assert async await break class continue def del elif else except False finally for from global if
      import in is lambda None nonlocal not or pass raise return True try while with yield`),
  },
  javascript: SCRIPT,
  typescript: SCRIPT,
};

const NUMBER = String.raw`(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])`;
const WORD = String.raw`[A-Za-z_$][\w$]*`;

/** A text as pieces that follow one another and together are the text. */
export function codeTokens(text: string, language: CodeLanguage): Token[] {
  const { comment, string, keywords } = GRAMMARS[language];
  const pattern = new RegExp(`(${comment ?? '(?!)'})|(${string})|(${NUMBER})|(${WORD})`, 'g');
  const tokens: Token[] = [];
  let at = 0;
  const add = (token: Token) => {
    if (token.text !== '') tokens.push(token);
    at += token.text.length;
  };
  for (const match of text.matchAll(pattern)) {
    const [piece, isComment, isString, isNumber] = match;
    const kind = isComment
      ? 'comment'
      : isString
        ? isName(text, match.index + piece.length)
          ? 'name'
          : 'string'
        : isNumber
          ? 'number'
          : keywords.has(piece)
            ? 'keyword'
            : undefined;
    if (kind === undefined) continue;
    add({ text: text.slice(at, match.index) });
    add({ kind, text: piece });
  }
  add({ text: text.slice(at) });
  return tokens;
}

/** Whether a string that ends there names a member. */
function isName(text: string, end: number): boolean {
  return /^\s{0,9}:/.test(text.slice(end, end + 10));
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
