import type { Show } from '../commands/show';
import { terminalLine } from '../wording/plainText';

/** Output that is collected: beyond this, a response is read from its file. */
const MOST_CHARACTERS = 4_000_000;

export interface Lines extends Show {
  readonly text: string;
  /** The last line of progress. */
  readonly latest: string;
}

export function collectLines(): Lines {
  const lines: string[] = [];
  let characters = 0;
  let latest = '';
  const add = (line: string) => {
    if (characters > MOST_CHARACTERS) return;
    characters += line.length + 1;
    lines.push(line);
  };
  return {
    get text() {
      return lines.join('\n');
    },
    get latest() {
      return latest;
    },
    print: (line) => add(terminalLine(line)),
    warn: (line) => add(terminalLine(line)),
    progress: (line) => {
      latest = terminalLine(line);
    },
  };
}

/** Lines as a report has them: texts of services are plain. */
export function reportText(lines: readonly string[]): string {
  const collected = collectLines();
  for (const line of lines) collected.print(line);
  return collected.text;
}
