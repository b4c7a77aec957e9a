import { describe, expect, it } from 'vitest';
import { createSealer, newMasterKey, parseMasterKey } from '../../../src/infrastructure/secrets/sealing.ts';

const sealer = createSealer({ current: newMasterKey() });

describe('a sealed text', () => {
  it('opens for the same key and context only', () => {
    const sealed = sealer.seal('hush', 'a');
    expect(sealer.unseal(sealed, 'a')).toBe('hush');
    expect(() => sealer.unseal(sealed, 'b')).toThrow();
    expect(() => createSealer({ current: newMasterKey() }).unseal(sealed, 'a')).toThrow(
      /sealed under the master key/,
    );
  });

  it('is another each time, with nothing of the text in it', () => {
    const [one, two] = [sealer.seal('hush', 'a'), sealer.seal('hush', 'a')];
    expect(one.sealed).not.toEqual(two.sealed);
    expect(Buffer.from(one.sealed).toString('latin1')).not.toContain('hush');
  });

  it('does not open once any byte was changed', () => {
    const { masterKeyId, sealed } = sealer.seal('hush', 'a');
    for (const n of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed[n] = (changed[n] ?? 0) ^ 1;
      expect(() => sealer.unseal({ masterKeyId, sealed: changed }, 'a')).toThrow();
    }
  });
});

describe('the keys of a rotation', () => {
  it('open what the former one sealed, and seal with the new one', () => {
    const [former, next] = [newMasterKey(), newMasterKey()];
    const old = createSealer({ current: former });
    const rotated = createSealer({ current: next, previous: [former] });
    expect(rotated.unseal(old.seal('hush', 'a'), 'a')).toBe('hush');
    expect(rotated.matches('1234', 'a', old.fingerprint('1234', 'a'))).toBe(true);
    const sealed = rotated.seal('hush', 'a');
    expect(sealed.masterKeyId).toBe(createSealer({ current: next }).masterKeyId);
    expect(() => old.unseal(sealed, 'a')).toThrow(/sealed under the master key/);
  });
});

describe('a fingerprint', () => {
  const taken = sealer.fingerprint('123456', 'a');
  it('matches its text and context only', () => {
    expect(sealer.matches('123456', 'a', taken)).toBe(true);
    expect(sealer.matches('123457', 'a', taken)).toBe(false);
    expect(sealer.matches('123456', 'b', taken)).toBe(false);
  });

  it('is found under every known key, the current one first', () => {
    const [former, next] = [newMasterKey(), newMasterKey()];
    const rotated = createSealer({ current: next, previous: [former] });
    const alone = createSealer({ current: next });
    expect(rotated.fingerprints('123456', 'a')).toEqual([
      alone.fingerprint('123456', 'a'),
      createSealer({ current: former }).fingerprint('123456', 'a'),
    ]);
  });

  it('means nothing without the master key', () => {
    const other = createSealer({ current: newMasterKey() });
    expect(() => other.matches('123456', 'a', taken)).toThrow(/sealed under the master key/);
    expect(other.fingerprint('123456', 'a').mac).not.toEqual(taken.mac);
  });
});

describe('a master key', () => {
  it('is 32 bytes in base64', () => {
    expect(parseMasterKey(newMasterKey())).toHaveLength(32);
  });

  it.each([
    '',
    'short',
    Buffer.alloc(31).toString('base64'),
    Buffer.alloc(33).toString('base64'),
    'x'.repeat(44),
  ])('is not %j', (text) => {
    expect(parseMasterKey(text)).toBeUndefined();
    expect(() => createSealer({ current: text })).toThrow(/32 bytes/);
  });
});
