import * as vscode from 'vscode';
import { markedProblems, messageFor, problemPlace } from '../../runFiles/marks';
import type { ParsedText, TextSpan } from '../../runFiles/text';

/** Converts offsets of a text to VS Code's positions, even without an open document. */
export class TextPositions {
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      // A carriage return ends a line by itself, unless a line feed follows.
      if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) starts.push(at + 1);
    }
    this.#starts = starts;
  }

  at(offset: number): vscode.Position {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return new vscode.Position(low, offset - this.#starts[low]!);
  }

  range({ offset, length }: TextSpan): vscode.Range {
    return new vscode.Range(this.at(offset), this.at(offset + length));
  }
}

/** A message about a place in a text of JSON. */
type MarkedProblem = Parameters<typeof problemPlace>[0] & {
  readonly severity: 'error' | 'warning';
  readonly source: string;
};

export function problemDiagnostics(
  file: ParsedText,
  problems: readonly MarkedProblem[],
): vscode.Diagnostic[] {
  const positions = new TextPositions(file.text);
  return markedProblems(problems).map((problem) => {
    const severities = vscode.DiagnosticSeverity;
    const severity = problem.severity === 'error' ? severities.Error : severities.Warning;
    const range = positions.range(problemPlace(problem, file));
    const diagnostic = new vscode.Diagnostic(range, messageFor(problem, file), severity);
    diagnostic.source = 'Model Bench';
    diagnostic.code = problem.source;
    return diagnostic;
  });
}
