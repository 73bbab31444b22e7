import { readFileSync } from 'node:fs';

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

/** Names that code declares, of parameters and members too. */
function* names(lines) {
  const declared =
    /(?:\b(?:const|let|function\*?|class|interface|type|readonly)\s+|[({,]\s*|^\s*)#?(\w+)(?=\??:| =(?!=)|\()/g;
  for (const [index, line] of lines.entries())
    if (!/^\s*(?:\/\/|\*|\/\*)/.test(line))
      for (const match of line.matchAll(declared)) yield { line: index + 1, kind: 'name', text: match[1] };
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

/** Comments and titles of a source file and the names of the product's code, or paragraphs of a page. */
export function* items(file) {
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n');
  if (file.endsWith('.md')) for (const block of paragraphs(lines)) yield { ...block, kind: 'page' };
  else {
    for (const block of comments(lines)) yield { ...block, kind: 'comment' };
    if (file.endsWith('.test.ts')) yield* titlesOf(text);
    if (/^(?:src|webview)\//.test(file)) yield* names(lines);
  }
}
