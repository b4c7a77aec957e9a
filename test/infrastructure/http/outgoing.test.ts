import { describe, expect, it } from 'vitest';
import {
  guardedLookup,
  isAllowedAddress,
  whyRefused,
} from '../../../src/infrastructure/outgoing/outgoing.ts';
import { harmlessAddresses, hostileAddresses, hostileUrls } from '../../support/interface/hostile-targets.ts';

const strict = { allowPrivate: false, allowHttp: false };
const lenient = { allowPrivate: true, allowHttp: true };

describe('the guard of outgoing calls', () => {
  it('is tried with more than 200 hostile targets', () => {
    expect(new Set([...hostileAddresses, ...hostileUrls]).size).toBeGreaterThan(200);
  });

  it('refuses every hostile URL', () => {
    expect(hostileUrls.filter((url) => whyRefused(url, strict) === undefined)).toEqual([]);
  });

  it('refuses every hostile address', () => {
    expect(hostileAddresses.filter((address) => isAllowedAddress(address, strict))).toEqual([]);
  });

  it('lets everything else pass', () => {
    expect(harmlessAddresses.filter((address) => !isAllowedAddress(address, strict))).toEqual([]);
    expect(whyRefused('https://example.com:8443/hooks?x=1', strict)).toBeUndefined();
  });

  it('takes http only where it is allowed', () => {
    expect(whyRefused('http://example.com/', strict)).toMatch(/https/);
    expect(whyRefused('http://example.com/', lenient)).toBeUndefined();
  });

  it.each(['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1', '::1', 'fd00::1'])(
    'lets the operator allow %s',
    (address) => expect(isAllowedAddress(address, lenient)).toBe(true),
  );

  it.each([
    '169.254.169.254',
    '0.0.0.0',
    '224.0.0.1',
    '::',
    'fe80::1',
    '::ffff:127.0.0.1',
    'ff02::1',
    '64:ff9b::7f00:1',
  ])('refuses %s even then', (address) => expect(isAllowedAddress(address, lenient)).toBe(false));

  it.each(['localhost', 'fe80::1%eth0', '', '1.2.3', 'not an address'])(
    'does not take %j for an address',
    (text) => expect(isAllowedAddress(text, lenient)).toBe(false),
  );
});

/** A resolver that gives these answers one after the other. */
const resolving = (...answers: readonly (readonly string[])[]) => {
  const left = [...answers];
  return async () =>
    (left.shift() ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};
const found = (lookup: ReturnType<typeof guardedLookup>, all: boolean) =>
  new Promise((resolve) => {
    lookup('name.example', { all }, (error, address) => resolve(error ? error.message : address));
  });
const refusal = 'the name is unknown, or leads to a private or reserved address';
const unknown = () => Promise.reject(new Error('queryA ENOTFOUND name.example'));

describe('a name', () => {
  it('leads to exactly the addresses that were checked', async () => {
    const lookup = guardedLookup(strict, resolving(['8.8.8.8'], ['8.8.8.8']));
    expect(await found(lookup, false)).toBe('8.8.8.8');
    expect(await found(lookup, true)).toEqual([{ address: '8.8.8.8', family: 4 }]);
  });

  it('is refused in the same words when it is unknown', async () => {
    const lookup = guardedLookup(strict, unknown);
    expect([await found(lookup, false), await found(lookup, true)]).toEqual([refusal, refusal]);
  });

  it('is refused as soon as it leads elsewhere', async () => {
    const lookup = guardedLookup(strict, resolving(['8.8.8.8'], ['127.0.0.1']));
    expect([await found(lookup, false), await found(lookup, false)]).toEqual(['8.8.8.8', refusal]);
  });

  it.each([[['8.8.8.8', '10.0.0.1']], [['8.8.8.8', '::1']], [[]]])(
    'is refused with the addresses %j',
    async (addresses) => {
      expect(await found(guardedLookup(strict, resolving(addresses)), true)).toBe(refusal);
    },
  );
});
