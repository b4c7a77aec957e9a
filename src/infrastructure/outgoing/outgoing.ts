/**
 * Where calls to addresses that callers have chosen may go. The address is checked after resolution, at the moment of
 * connecting, and the connection goes to exactly the checked address: a name that answers differently the second time
 * gets nowhere.
 */
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { addressesAt } from './dns.ts';

export type OutgoingRules = {
  /** Loopback and private networks may be called too; link-local and other special addresses never. */
  readonly allowPrivate: boolean;
  /** Plain http may be used. */
  readonly allowHttp: boolean;
};

/** A call that is not made because of where it would go. */
export class TargetRefused extends Error {
  override name = 'TargetRefused';
}

const nowhere = 'the name is unknown, or leads to a private or reserved address';

type Range = readonly [address: string, prefix: number];

const privateRanges: readonly Range[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::1', 128],
  ['fc00::', 7],
];

/** The IANA registries of special-purpose addresses, without the private ones above. */
const specialRanges: readonly Range[] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];
/** All IPv6 addresses that lead anywhere begin so; mapped, translated, local and multicast ones do not. */
const globalRanges: readonly Range[] = [['2000::', 3]];

const familyOf = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4');

function listOf(ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of ranges) list.addSubnet(address, prefix, familyOf(address));
  return list;
}

const privateOnes = listOf(privateRanges);
const specialOnes = listOf(specialRanges);
const globalOnes = listOf(globalRanges);

/** Whether an IP address may be called. Anything that is not an IP address may not. */
export function isAllowedAddress(
  address: string,
  { allowPrivate }: Pick<OutgoingRules, 'allowPrivate'>,
): boolean {
  const family = familyOf(address);
  if (isIP(address) === 0 || address.includes('%')) return false;
  // A list for one family takes IPv6 addresses that contain an IPv4 address for that; those are refused as a whole.
  if (family === 'ipv6' && !globalOnes.check(address, family)) {
    return allowPrivate && !isMapped(address) && privateOnes.check(address, family);
  }
  if (specialOnes.check(address, family)) return false;
  return allowPrivate || !privateOnes.check(address, family);
}

const mapped = listOf([['::ffff:0:0', 96]]);
const isMapped = (address: string) => mapped.check(address, 'ipv6');

/** Why a URL cannot be called whatever its name resolves to; `undefined` when nothing speaks against it. */
export function whyRefused(target: string, rules: OutgoingRules): string | undefined {
  if (!URL.canParse(target)) return 'is not a URL';
  const { protocol, username, password, hostname } = new URL(target);
  if (protocol !== 'https:' && protocol !== 'http:') return 'must be an https address';
  if (protocol === 'http:' && !rules.allowHttp) return 'must be an https address';
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (hostname === '') return 'names no host';
  if (isIP(literal) !== 0 && !isAllowedAddress(literal, rules))
    return 'must not be a private or reserved address';
  return undefined;
}

/**
 * For `lookup` of `http.request`: resolves a name and refuses it when any of its addresses may not be called. That a name
 * is unknown is said in the same words: the names of a private network are nobody's to find out.
 */
export const guardedLookup =
  ({ allowPrivate }: Pick<OutgoingRules, 'allowPrivate'>, resolve = addressesAt): LookupFunction =>
  async (hostname, options, callback) => {
    const addresses = await resolve(hostname, { mayBeLocal: allowPrivate }).catch(() => []);
    const [first] = addresses;
    if (!first || addresses.some(({ address }) => !isAllowedAddress(address, { allowPrivate })))
      return callback(new TargetRefused(nowhere), '', 0);
    return options.all ? callback(null, [...addresses]) : callback(null, first.address, first.family);
  };
