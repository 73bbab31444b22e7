/** How work tells about itself while it is done; lines of its end are in its value. */
export interface Show {
  print(line: string): void;
  /** A line about a problem. */
  warn(line: string): void;
  /** A line that takes the place of the one before it. */
  progress(line: string): void;
}

/** A line about work that has ended. */
export interface Line {
  readonly text: string;
  /** It is about a problem. */
  readonly isWarning?: boolean;
}

export function printed(text: string): Line {
  return { text };
}

export function warning(text: string): Line {
  return { text, isWarning: true };
}

export function showLines(lines: readonly Line[], show: Show): void {
  for (const { text, isWarning } of lines)
    if (isWarning) show.warn(text);
    else show.print(text);
}
