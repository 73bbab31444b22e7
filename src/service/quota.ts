import type { RawResponse } from '../domain/response';
import { bodyText } from '../intake/bodyText';
import { namesRetryTime } from './retryAfter';

/** Enough of an error body; its code and sentence come first. */
const LONGEST = 4_096;

/** Codes and sentences that no time to retry belongs to. */
const USED_UP =
  /insufficient[_ -](?:quota|credits?|funds|balance)|billing_(?:hard_limit|not_active|disabled)|quota[_ -](?:exhausted|used[_ -]up)|out[_ -]of[_ -](?:credits?|quota)|credits?[_ -](?:exhausted|depleted)|no (?:more |remaining )?credits?\b|payment[_ -]required/i;

/** Words that are about a quota unless the response names a time to retry: then it is one of a minute or so. */
const ABOUT_A_QUOTA =
  /\bquotas?\b|quota_|_quota|\bbilling\b|\bcredits?\b|(?:monthly|daily|weekly|trial|plan|spending|spend|hard) (?:limit|allowance|cap)\b/i;
const NAMES_TIME =
  /retry_?delay|(?:retry|try again) (?:after|in) |per[_ -]?(?:second|minute|hour)|requests? ?\/ ?(?:s|m|h)/i;

/**
 * Whether a 429 says that a quota is used up, so that waiting is in vain: `x-should-retry: false`, or words and codes of
 * quotas, credits and billing in its body.
 */
export function isQuotaUsedUp({ status, headers, bytes, contentType }: RawResponse): boolean {
  if (status !== 429) return false;
  if (headers['x-should-retry']?.trim().toLowerCase() === 'false') return true;
  if (/html/i.test(contentType)) return false;
  const text = bodyText(bytes.subarray(0, LONGEST), contentType);
  if (USED_UP.test(text)) return true;
  return ABOUT_A_QUOTA.test(text) && !NAMES_TIME.test(text) && !namesRetryTime(headers);
}
