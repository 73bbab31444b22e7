// node test/prose.mjs [FILE OR FOLDER …]: finds riddles in comments, titles of tests and pages of documentation.
// Each rule names a construction that readers had to read twice, and a way to write it.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const before =
  'of|by|for|with|from|to|in|on|that|and|or|is|are|than|as|at|only|also|says|shows|knows|keeps|finds|has|reads|names|over|about|into';
const after =
  'is|are|was|were|be|has|have|had|it|its|they|he|she|you|we|a|an|the|this|that|these|those|there|one|no|each|every|other|others|users?|VS|runs?|comes?|came|stands?|becomes?|became|follows?|goes|differs?|fits?|fails?|only|can|cannot|could|may|must|will|would|does|did|do|makes?|moves?|needs?|opens?|names?|some|somebody|nobody|nothing|another';
const negative = 'Nobody|Nothing|None|No one|Neither of';

const riddles = [
  [
    new RegExp(`(?:^|[,;:.(–—] ?|\\b(?:${before}) )what (?:${after})\\b`, 'i'),
    'name the thing instead of “what …”',
  ],
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
  [/\bas well(?=[.,)]|$)|, also (?:where|when|if|in|those|after)\b/i, 'write “also”, or a second sentence'],
  [/\bso (?:many|much|often|long)\b(?! (?:as|that))/i, 'name the number'],
  [/\b(?:goes|go|went) by\b/i, 'write “uses”, or “depends on”'],
  [/\b(?:is|are|was|were|be|been) told\b(?! apart)|\btold (?:by|of)\b/i, 'write who reports it'],
];

const titles = {
  describe: [[/^(?:what|who|where|which|how|of|as)\b/i, 'name the subject']],
  it: [
    [
      /^(?:is|are|has|have|may|was|were|that|what|who|where|whose|of|it|and|not|none|nothing|no one)\b/i,
      'begin with a verb in the present tense: “returns …”, “rejects …”',
    ],
  ],
};

/** The sentences of a text, without quotations: quoted words are a user's or a file's. Questions are no riddles. */
function sentences(text) {
  return text
    .replace(/`[^`]*`|“[^”]*”|"[^"]*"|(?<![\w])'[^']*'(?!\w)|\{@link [^}]*\}/g, 'X')
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?;]) (?=\S)/)
    .filter((sentence) => !sentence.endsWith('?'));
}

/** Comments as blocks: neighbouring lines of `//` are one. */
function* comments(lines) {
  let block;
  for (const [index, line] of [...lines, ''].entries()) {
    const own = /^\s*(?:\/\/(?!\/)|\/\*\*?|\*(?!\/))\s?(.*?)(?:\*\/)?$/.exec(line)?.[1];
    if (own !== undefined && block && !line.trim().startsWith('/*'))
      block.text += `${/^@|^\s*-/.test(own) ? '. ' : ' '}${own}`;
    else {
      if (block) yield block;
      block = own === undefined ? undefined : { line: index + 1, text: own };
    }
    const [code, trailing] = own === undefined ? line.split(/\s\/\/ (.*)/) : [];
    if (trailing && [`'`, '"', '`'].every((quote) => code.split(quote).length % 2))
      yield { line: index + 1, text: trailing };
  }
}

function* titlesOf(text) {
  for (const match of text.matchAll(/\b(it|describe)(?:\.\w+)?\(\s*(['"`])((?:\\.|(?!\2)[^\\])*)\2/g))
    yield {
      line: text.slice(0, match.index).split('\n').length,
      kind: match[1],
      text: match[3].replaceAll('\\', ''),
    };
}

/** Paragraphs, list items and cells of a page, without code. */
function* paragraphs(lines) {
  let code = false;
  let block;
  for (const [index, line] of [...lines, ''].entries()) {
    if (line.startsWith('```')) code = !code;
    const plain =
      code || line.startsWith('```')
        ? ''
        : line
            .replace(/^\s*(?:[-*]|\d+\.|#+|>)\s/, '')
            .replaceAll('|', '. ')
            .trim();
    const begins = /^\s*(?:[-*]|\d+\.|#+|\|)/.test(line);
    if (block && (!plain || begins)) {
      yield block;
      block = undefined;
    }
    if (plain)
      block = block ? { ...block, text: `${block.text} ${plain}` } : { line: index + 1, text: plain };
  }
}

function* items(file) {
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n');
  if (file.endsWith('.md')) for (const block of paragraphs(lines)) yield { ...block, kind: 'page' };
  else {
    for (const block of comments(lines)) yield { ...block, kind: 'comment' };
    if (file.endsWith('.test.ts')) yield* titlesOf(text);
  }
}

/** The first sentence of an item that breaks a rule. */
function firstRiddle({ kind, text }) {
  for (const sentence of sentences(text)) {
    const rules = [...(titles[kind] ?? []), ...riddles];
    for (const [pattern, advice] of rules) if (pattern.test(sentence)) return { sentence, advice };
  }
}

const places = process.argv.slice(2);
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...places], {
  encoding: 'utf8',
});
const written = /^(?:(?:src|webview|test|bench|bundling)\/.*\.(?:ts|mjs)|[\w.]+\.mjs|(?:docs\/)?[\w-]+\.md)$/;
const counts = {};
for (const file of listed.split('\n').filter((name) => written.test(name) && existsSync(name)))
  for (const item of items(file)) {
    counts[item.kind] ??= { all: 0, riddles: 0 };
    counts[item.kind].all += 1;
    const riddle = firstRiddle(item);
    if (!riddle) continue;
    counts[item.kind].riddles += 1;
    process.exitCode = 1;
    console.log(`${file}:${item.line} ${item.kind}: ${riddle.sentence.trim()}\n    ${riddle.advice}`);
  }
if (process.exitCode)
  for (const [kind, { all, riddles: bad }] of Object.entries(counts))
    console.log(`${kind}: ${bad} of ${all}`);
