import * as z from 'zod/mini';

/** What a secret holds: the key is sent to this origin and to no other, whatever the settings say later. */
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
