/** Longer patterns are left to the service: nobody writes them for a form. */
const MAX_LENGTH = 1000;

/**
 * A pattern that the validator can run, or undefined when it must be left to the service: the validator
 * compiles with the `u` flag, under which common but sloppy escapes (`[\w-\.]`, `\_`) do not parse, and a
 * pattern with a repeated group that repeats inside (`(a+)+`) can freeze the page on a short text.
 */
export function usablePattern(pattern: string): string | undefined {
  if (pattern.length > MAX_LENGTH || canExplode(pattern)) return undefined;
  return [pattern, withoutSloppyEscapes(pattern)].find(compiles);
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

/** The same pattern with escapes and hyphens written as the `u` flag wants them. */
function withoutSloppyEscapes(pattern: string): string {
  const tokens = pattern.match(/\\[\s\S]|[\s\S]/g) ?? [];
  const isClass = (token: string | undefined) => token !== undefined && /^\\[wdsWDS]$/.test(token);
  let inBrackets = false;
  return tokens
    .map((token, index) => {
      if (token === '[') inBrackets = true;
      if (token === ']') inBrackets = false;
      if (token === '-' && inBrackets && (isClass(tokens[index - 1]) || isClass(tokens[index + 1])))
        return '\\-';
      if (token === '\\-') return inBrackets ? token : '-';
      return /^\\[_@#%&=:;,<>!"'~` ]$/.test(token) ? token.slice(1) : token;
    })
    .join('');
}

/** Whether a group that may repeat without bound holds a part that does so too, or alternatives that may overlap. */
function canExplode(pattern: string): boolean {
  const open: { repeats: boolean }[] = [];
  const tokens = pattern.matchAll(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\(|\)|[*+]|\{\d+,\d*\}|\||[\s\S]/g);
  let closed: { repeats: boolean } | undefined;
  for (const [token] of tokens) {
    const unbounded = token === '*' || token === '+' || /^\{\d+,(\d{2,})?\}$/.test(token);
    if (token === '(') open.push({ repeats: false });
    else if (token === ')') {
      closed = open.pop();
      const outer = open.at(-1);
      if (outer && closed?.repeats) outer.repeats = true;
      continue;
    } else if (unbounded && closed?.repeats) return true;
    else if (unbounded || token === '|') {
      const group = open.at(-1);
      if (group) group.repeats = true;
    }
    closed = undefined;
  }
  return false;
}
