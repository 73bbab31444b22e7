import { badRequest } from '../http/errors';

/** @throws {HttpError} 400 when an id stands twice in one index run: which of the two should win? */
export function rejectDuplicateIds(ids: readonly string[], path: string): void {
  const seen = new Map<string, number>();
  for (const [i, id] of ids.entries()) {
    const before = seen.get(id);
    if (before !== undefined) {
      const message = `"${id}" is the id of item ${before} and of item ${i}.`;
      throw badRequest('repeated_id', `An id may stand only once in a run: ${message}`, [
        { path: `${path}/${i}`, message, index: i, image_id: id },
      ]);
    }
    seen.set(id, i);
  }
}
