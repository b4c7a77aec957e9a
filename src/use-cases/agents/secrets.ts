/** What lets an agent in. Shown once, kept as SHA-256 only. */
import { randomBytes } from 'node:crypto';
import type { DeviceCode } from '../../domain/agents/state.ts';
import { legibleCharacters, randomText } from '../../kernel/ids.ts';

export const lifetimeMs = 24 * 3_600_000;

export const deviceCodePattern = new RegExp(
  `^SVC-AGENT-[${legibleCharacters}]{4}-[${legibleCharacters}]{4}$`,
);

const four = () => randomText(4, legibleCharacters);

/** 40 random bits, for a person to type. */
export const newDeviceCode = (): string => `SVC-AGENT-${four()}-${four()}`;

/** 256 random bits. */
export const newAccessToken = (): string => `agt_${randomBytes(32).toString('hex')}`;

export const deviceCodeFrom = (deviceCodeId: string, at: Date): DeviceCode => ({
  deviceCodeId,
  expiresAt: new Date(at.getTime() + lifetimeMs),
});
