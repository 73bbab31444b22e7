import type { RawResponse, RunResponse } from '../domain/response';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { namedAddress } from '../intake/namedAddress';
import { asText, isAddress, pick, pickText } from './records';

const ADDRESSES = words('statusurl pollurl resulturl runurl location self href url');
const LINKS = words('links urls');
const RELATIONS = words('status get self result');

/** Where an accepted run is asked for: the header `Location`, else an address in these records. The first allowed one counts. */
export function followed(
  { status, headers }: RawResponse,
  records: readonly UnknownObject[],
  asked: URL,
  baseUrl: string,
): Pick<RunResponse, 'followUrl' | 'notFollowed'> {
  const location = [201, 202, 303].includes(status) ? headers.location : undefined;
  const read = [location, ...records.flatMap(addressesIn)]
    .filter(isAddress)
    .map((text) => namedAddress(text, { asked, baseUrl }));
  const url = read.find((each) => each.url !== undefined && each.url.href !== asked.href)?.url;
  if (url !== undefined) return { followUrl: url.href };
  const refused = read.find((each) => each.refused)?.refused;
  return refused ? { notFollowed: { reason: 'refusedAddress', refused } } : {};
}

function addressesIn(record: UnknownObject): (string | undefined)[] {
  const links = LINKS.map((name) => pick(record, name)).filter(isObject);
  return [
    pickText(record, ...ADDRESSES),
    ...links.flatMap((link) =>
      RELATIONS.map((name) => {
        const value = pick(link, name);
        return isObject(value) ? pickText(value, 'href', 'url') : asText(value);
      }),
    ),
  ];
}
