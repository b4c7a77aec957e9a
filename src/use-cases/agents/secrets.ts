/** What lets an agent in. Shown once, kept as SHA-256 only. */
import { randomBytes } from 'node:crypto';
import type { DeviceCode } from '../../domain/agents/state.ts';
import { derivedText, legibleCharacters, randomText, type Seeded } from '../../kernel/ids.ts';

export const lifetimeMs = 24 * 3_600_000;

export const deviceCodePattern = new RegExp(
  `^SVC-AGENT-[${legibleCharacters}]{4}-[${legibleCharacters}]{4}$`,
);

const shown = (eight: string) => `SVC-AGENT-${eight.slice(0, 4)}-${eight.slice(4)}`;

/** 40 random bits, for a person to type. */
export const newDeviceCode = (): string => shown(randomText(8, legibleCharacters));

/** The code that follows from the seed, and from where it is drawn. */
export const seededDeviceCode = ({ named }: Seeded, deviceCodeId: string, draw: number): string =>
  shown(derivedText(8, legibleCharacters, named('device-code', deviceCodeId, String(draw))));

/** 256 random bits. */
export const newAccessToken = (): string => `agt_${randomBytes(32).toString('hex')}`;

export const deviceCodeFrom = (deviceCodeId: string, at: Date): DeviceCode => ({
  deviceCodeId,
  expiresAt: new Date(at.getTime() + lifetimeMs),
});
