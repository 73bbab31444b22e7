import * as z from 'zod/mini';

/** The content of a secret: the key is sent only to this origin, even if the settings change later. */
const storedKey = z.object({
  origin: z.string(),
  apiKey: z.string(),
  /** As `KeyChanges` noted it. */
  savedAt: z.optional(z.number()),
});

/** Reads a secret; undefined when it is not one of ours. */
export function readStoredKey(secret: string): z.infer<typeof storedKey> | undefined {
  try {
    return storedKey.safeParse(JSON.parse(secret)).data;
  } catch {
    return undefined;
  }
}
