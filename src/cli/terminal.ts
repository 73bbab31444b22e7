import type { Show } from '../commands/show';
import { terminalJson, terminalLine } from '../wording/plainText';

/**
 * Where the command line writes: results to standard output, all else to standard error. Progress is shown only to people
 * at a terminal.
 */
export interface Terminal extends Show {
  /** The result for programs: one line of JSON. */
  printJson(value: unknown): void;
}

/** Texts of services and files are plain: in one of them an escape sequence would command the terminal, a prefix the CI. */
export function terminal(out: NodeJS.WriteStream, err: NodeJS.WriteStream): Terminal {
  let isShowing = false;
  const clear = () => {
    if (isShowing) err.write('\r\u001b[K');
    isShowing = false;
  };
  return {
    print(line) {
      clear();
      out.write(`${terminalLine(line)}\n`);
    },
    printJson(value) {
      clear();
      out.write(`${terminalJson(value)}\n`);
    },
    warn(line) {
      clear();
      err.write(`${terminalLine(line)}\n`);
    },
    progress(line) {
      if (!err.isTTY) return;
      clear();
      err.write(terminalLine(line).slice(0, Math.max(20, (err.columns ?? 80) - 1)));
      isShowing = true;
    },
  };
}
