import { describe, expect, it } from 'vitest';
import {
  deviceCodeFrom,
  deviceCodePattern,
  newAccessToken,
  newDeviceCode,
} from '../../../src/use-cases/agents/secrets.ts';
import { deviceCodeId } from '../../support/builders/agents.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

const many = <T>(make: () => T) => new Set(Array.from({ length: 2_000 }, make));

describe('a device code', () => {
  it('has no letters that look like digits, and is another each time', () => {
    const codes = many(newDeviceCode);
    expect(codes.size).toBe(2_000);
    for (const code of codes) {
      expect(code).toMatch(deviceCodePattern);
      expect(code.slice('SVC-AGENT-'.length)).not.toMatch(/[IO01]/);
    }
  });

  it('uses the whole alphabet', () => {
    const letters = new Set([...many(newDeviceCode)].flatMap((code) => [...code.slice(10).replace('-', '')]));
    expect(letters.size).toBe(32);
  });

  it('is good for a day', () => {
    expect(deviceCodeFrom(deviceCodeId, testStart)).toEqual({ deviceCodeId, expiresAt: msLater(86_400_000) });
  });
});

describe('an access token', () => {
  it('has 256 bits in hex, and is another each time', () => {
    const tokens = many(newAccessToken);
    expect(tokens.size).toBe(2_000);
    for (const token of tokens) expect(token).toMatch(/^agt_[0-9a-f]{64}$/);
  });
});
