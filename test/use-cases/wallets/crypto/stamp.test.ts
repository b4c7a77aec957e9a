import { p256 } from '@noble/curves/nist.js';
import { describe, expect, it } from 'vitest';
import { Rejected } from '../../../../src/kernel/rejected.ts';
import { isSignedBy, parseStamp } from '../../../../src/use-cases/wallets/crypto/stamp.ts';
import { thrownBy } from '../../../support/builders/spec.ts';
import {
  encodeStamp,
  newClientKey,
  sha256Hex,
  stampOf,
  stampScheme,
  twinOf,
} from '../../../support/wallets/wallet-client.ts';
import vectors from './vectors.json' with { type: 'json' };

const [vector] = vectors.stamps;
if (!vector) throw new Error('no stamp among the vectors');
const { sessionPublicKey: publicKey, signatureDer: signature, payloadToSign } = vector;
const good = { publicKey, scheme: stampScheme, signature };
const altered = (change: object) => encodeStamp({ ...good, ...change });

describe('the published stamps', () => {
  it.each(vectors.stamps)('$name verifies (high s: $highS)', (stamp) => {
    const parsed = parseStamp(stamp.stamp);
    expect(parsed).toMatchObject({ publicKey: stamp.sessionPublicKey, signature: stamp.signatureDer });
    expect(isSignedBy(parsed, stamp.payloadToSign)).toBe(true);
    expect(sha256Hex(stamp.payloadToSign)).toBe(stamp.sha256);
  });

  it.each(vectors.stamps)('$name does not verify over another text', (stamp) => {
    const parsed = parseStamp(stamp.stamp);
    const decoded = Buffer.from(stamp.payloadToSign, 'base64').toString();
    for (const text of [decoded, `${stamp.payloadToSign} `, '']) expect(isSignedBy(parsed, text)).toBe(false);
  });

  it('have twins that verify as well', () => {
    for (const stamp of vectors.stamps)
      expect(isSignedBy(parseStamp(twinOf(stamp.stamp)), stamp.payloadToSign)).toBe(true);
  });
});

describe('honest stamps', () => {
  it('pass whatever their s is', () => {
    for (let n = 0; n < 100; n++) {
      const key = newClientKey();
      expect(isSignedBy(parseStamp(stampOf(key.privateKey, `text ${n}`)), `text ${n}`)).toBe(true);
    }
  });

  it('may name their members in any order, and keys in upper case', () => {
    const stamp = encodeStamp({ signature, scheme: stampScheme, publicKey: publicKey.toUpperCase() });
    expect(isSignedBy(parseStamp(stamp), payloadToSign)).toBe(true);
  });
});

const integer = (value: string) => `02${(value.length / 2).toString(16).padStart(2, '0')}${value}`;
const sequence = (...parts: string[]) =>
  `30${(parts.join('').length / 2).toString(16).padStart(2, '0')}${parts.join('')}`;
const order = `00${p256.Point.Fn.ORDER.toString(16)}`;
const some = '11'.repeat(32);

describe('a malformed stamp', () => {
  it.each([
    ['empty', ''],
    ['longer than 1 KiB', altered({ more: 'x'.repeat(1000) })],
    ['padded', `${altered({})}==`],
    ['with a character that is not base64url', `${altered({}).slice(0, -1)}!`],
    ['with a space inside', `${altered({}).slice(0, 40)} ${altered({}).slice(40)}`],
    ['in standard base64 where it differs', Buffer.from('{"a":"???>>>~~~"}').toString('base64')],
    ['not UTF-8', Buffer.from([0xff, 0xfe, 0x7b, 0x7d]).toString('base64url')],
    ['not JSON', Buffer.from('stamp').toString('base64url')],
    ['a JSON string', Buffer.from('"stamp"').toString('base64url')],
    ['a JSON array', Buffer.from('[]').toString('base64url')],
    ['null', Buffer.from('null').toString('base64url')],
    ['without members', encodeStamp({})],
    ['of another scheme', altered({ scheme: 'P256_ECDSA_SHA256' })],
    ['without scheme', altered({ scheme: undefined })],
    ['with an uncompressed key', altered({ publicKey: newClientKey().publicKey })],
    ['with a key of 65 digits', altered({ publicKey: publicKey.slice(1) })],
    ['with a key that is a number', altered({ publicKey: 2 })],
    ['with a signature in base64', altered({ signature: Buffer.from(signature, 'hex').toString('base64') })],
    ['with an odd number of digits', altered({ signature: signature.slice(1) })],
    ['with a signature that is cut short', altered({ signature: signature.slice(0, -2) })],
    ['with a byte behind the signature', altered({ signature: `${signature}00` })],
    ['with a signature of 73 bytes', altered({ signature: '30'.repeat(73) })],
    ['with a compact signature', altered({ signature: '11'.repeat(64) })],
    ['with r = 0', altered({ signature: sequence(integer('00'), integer(some)) })],
    ['with s = 0', altered({ signature: sequence(integer(some), integer('00')) })],
    ['with r = n', altered({ signature: sequence(integer(order), integer(some)) })],
    ['with s = n', altered({ signature: sequence(integer(some), integer(order)) })],
    ['with a negative r', altered({ signature: sequence(integer(`ff${some.slice(2)}`), integer(some)) })],
    ['with a padded r', altered({ signature: sequence(integer(`00${some}`), integer(some)) })],
    [
      'with a long-form length',
      altered({ signature: `3081${sequence(integer(some), integer(some)).slice(2)}` }),
    ],
  ])('%s is refused as one', (_what, text) => {
    const error = thrownBy(() => parseStamp(text));
    expect(error).toBeInstanceOf(Rejected);
    expect(error).toMatchObject({ code: 'WALLET_SIGNATURE_MALFORMED', details: { reason: 'MALFORMED' } });
  });

  it('with a key that is no point on the curve does not verify', () => {
    const stamp = parseStamp(altered({ publicKey: `02${'f'.repeat(64)}` }));
    expect(isSignedBy(stamp, payloadToSign)).toBe(false);
  });
});
