export function shownCount(count: number): string {
  return count.toLocaleString();
}
