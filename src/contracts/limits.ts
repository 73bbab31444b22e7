/** Members of a contract that only bound a value: those of JSON Schema, and of tables of fields. */
const LIMIT = /^(?:(?:exclusive)?min|(?:exclusive)?max|multipleOf|step$|[gl][te]$)/i;
const LARGE = /^-?\d{16,}(?:\.\d+)?$|^-?\d+e\+?\d{3}$/i;

/**
 * A contract in which limits are numbers, even those that JavaScript rounds (2^64 - 1): they are not sent. Its
 * defaults, choices and examples keep their digits as text, and are no values of a number until a user shortens them.
 * @param json as `parsedJson` has it; changed in place
 */
export function limitsAsNumbers<T>(json: T): T {
  const pending: unknown[] = [json];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'object') pending.push(member);
      else if (typeof member === 'string' && LIMIT.test(name) && LARGE.test(member))
        (value as Record<string, unknown>)[name] = Number(member);
    }
  }
  return json;
}
