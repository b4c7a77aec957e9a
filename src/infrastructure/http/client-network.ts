import { isIP } from 'node:net';

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Some proxies name the port of the caller as well. */
const withPort = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([\da-f:.]+)\])(?::\d{1,5})?$/i;

/** Whom a limit counts as one caller: an IPv4 address, or the 64-bit network of an IPv6 address, which one line has. */
export function networkOf(named: string): string {
  const [, v4, v6] = withPort.exec(named) ?? [];
  const address = v4 ?? v6 ?? named;
  const [, inside] = mapped.exec(address) ?? [];
  if (inside) return inside;
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [
    ...before,
    ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'),
    ...after,
  ];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
