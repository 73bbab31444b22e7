import type { RawResponse, RunResponse } from '../domain/response';
import type { UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { namedAddress } from '../intake/namedAddress';
import { isAddress, pickText } from './records';

const ADDRESSES = words('statusurl pollurl resulturl runurl location self href url');

/** Where an accepted run is asked for: the header `Location`, else an address in these records. The first allowed one counts. */
export function followed(
  { status, headers }: RawResponse,
  records: readonly UnknownObject[],
  asked: URL,
  baseUrl: string,
): Pick<RunResponse, 'followUrl' | 'notFollowed'> {
  const location = [201, 202, 303].includes(status) ? headers.location : undefined;
  const read = [location, ...records.map((record) => pickText(record, ...ADDRESSES))]
    .filter(isAddress)
    .map((text) => namedAddress(text, { asked, baseUrl }));
  const url = read.find((each) => each.url !== undefined && each.url.href !== asked.href)?.url;
  if (url !== undefined) return { followUrl: url.href };
  const refused = read.find((each) => each.refused)?.refused;
  return refused ? { notFollowed: { reason: 'refusedAddress', refused } } : {};
}
