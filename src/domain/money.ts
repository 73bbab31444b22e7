import * as z from 'zod/mini';

/** An amount of money. `amount` is a decimal string ("0.0125"), never a binary float; the currency may be missing. */
export const money = z.readonly(z.object({ amount: z.string(), currency: z.optional(z.string()) }));
export type Money = z.infer<typeof money>;
