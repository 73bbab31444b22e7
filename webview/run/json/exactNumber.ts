/** Whether a number keeps its value when it is sent: whole numbers to the last digit, others within their range. */
export function isExactNumber(text: string): boolean {
  const number = Number(text);
  if (!Number.isFinite(number)) return false;
  return !/^[+-]?\d+$/.test(text) || BigInt(text.replace('+', '')) === BigInt(number);
}
