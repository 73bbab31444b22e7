import 'vscode';

declare module 'vscode' {
  /** Missing in the oldest promised VS Code. */
  const LanguageModelDataPart: { image(data: Uint8Array, mime: string): unknown } | undefined;
}
