import { describe, expect, it } from 'vitest';
import { createSealer, newMasterKey, parseMasterKey } from '../../src/infrastructure/sealing.ts';

const sealer = createSealer(newMasterKey());

describe('a sealed text', () => {
  it('opens for the same key and context only', () => {
    const sealed = sealer.seal('hush', 'a');
    expect(sealer.unseal(sealed, 'a')).toBe('hush');
    expect(() => sealer.unseal(sealed, 'b')).toThrow();
    expect(() => createSealer(newMasterKey()).unseal(sealed, 'a')).toThrow(/sealed under the master key/);
  });

  it('is another each time and contains nothing of the text', () => {
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
    expect(() => createSealer(text)).toThrow(/32 bytes/);
  });
});
