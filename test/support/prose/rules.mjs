// Rules of prose. Each names a construction that readers had to read twice, and a way to write it.

const negative = 'Nobody|Nothing|None|No one|Neither of';

const riddles = [
  [/\bwhat\b(?! (?:to|for)\b)/i, 'name the thing instead of “what …”'],
  [/\b(?:whatever|whoever|whomever|wherever|whichever)\b/i, 'name the cases instead of “whatever …”'],
  [
    /\b(?:anew|nevertheless|nonetheless|thereby|therein|thereof|hitherto|lest|of late)\b/i,
    'use an everyday word',
  ],
  [/\b(?:is|are|was|were) over\b(?! (?:a|an|the|its|\d))|\bat (?:its|their) end\b/i, 'write “has ended”'],
  [/\bstood\b|\bstands?\b(?!-|alone|ard)/i, 'write “is”, or name the place'],
  [/\blets? go of\b|\blet go\b/i, 'write “release”'],
  [
    new RegExp(`(?:^|[;:.(] ?|, |\\band |\\bbut )(?:${negative})(?: of)? [a-z]`),
    'negate the verb, with a real subject',
  ],
  [/(?:^|[;:.(] ?)No [\w ]{1,30}? (?:is|are|has|have|was|were)\b/, 'negate the verb, with a real subject'],
  [
    /\b(?:nobody|no one)\b|\bnothing (?:is|are|was|has|had|can|may|must|else)\b/i,
    'negate the verb, with a real subject',
  ],
  [
    /(?<!\b(?:soon|far|long) )\bas (?:it|they|he) (?:is|was|are|were|came|come|comes|stands?|stood|landed)\b/i,
    'write “unchanged”, or say how',
  ],
  [
    /\bas well(?=[.,)]|$)|, also (?:where|when|if|those|after)\b/i,
    'write “also” or “even”, or a second sentence',
  ],
  [/\bso (?:many|much|often|long)\b(?! (?:as|that))/i, 'name the number'],
  [/\b(?<!there )(?:is|are|was|were) none\b/i, 'write “is not one”, or what it is not'],
  [/\b(?:goes|go|went) by\b/i, 'write “uses”, or “depends on”'],
  [/\b(?:is|are|was|were|be|been) told\b(?! apart)|\btold (?:by|of)\b/i, 'write who reports it'],
];

const subject = [
  [
    /^(?!(?:feat|fix|perf|refactor|test|docs|build|ci|chore|style|revert)(?:\([\w,. -]+\))?!?: \S)/,
    'begin with “type(scope): ”',
  ],
  [/^.{73}/, 'use at most 72 characters'],
  [
    /: (?!(?:bring|embed|feed|need|speed) )(?:\w+(?:ed|ing)|\w*[^su]s|an?|the|who|is|has) /,
    'begin with a verb in the imperative: “keep …”, “reject …”',
  ],
];

const byKind = {
  subject,
  name: [[/^(?:found|told|came|said|spot)$/i, 'name the thing, not how it was obtained']],
  describe: [[/^(?:what|who|where|which|how|of|as)\b/i, 'name the subject']],
  it: [
    [
      /^(?:is|are|has|have|may|was|were|that|what|who|where|whose|of|it|and|not|none|nothing|no one|in|on|at|by|with|without|for|from|before|after|under|over|the|an?|all|each)\b/i,
      'begin with a verb in the present tense: “returns …”, “rejects …”',
    ],
  ],
};

/** The sentences of a text, without quotations: quoted words are a user's or a file's. Questions are no riddles. */
function sentences(text) {
  return text
    .replace(/\$\{[^}]*\}|`[^`]*`|“[^”]*”|"[^"]*"|(?<![\w])'[^']*'(?!\w)|\{@link [^}]*\}/g, 'X')
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?;]) (?=\S)/)
    .filter((sentence) => !sentence.endsWith('?'));
}

/** The first sentence of an item that breaks a rule. */
export function firstRiddle({ kind, text }) {
  const whole = (byKind[kind] ?? []).find(([pattern]) => pattern.test(text));
  if (whole) return { sentence: text, advice: whole[1] };
  // A subject that is on the main branch cannot be reworded: only its form is checked.
  if (kind === 'subject' || kind === 'name') return undefined;
  for (const sentence of sentences(text))
    for (const [pattern, advice] of riddles) if (pattern.test(sentence)) return { sentence, advice };
}
