/** The words of a table of names: `words('name title label')`. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
