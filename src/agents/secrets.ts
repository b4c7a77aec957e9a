/** What lets an agent in. Shown once, kept as SHA-256 only. */
import { randomBytes, randomInt } from 'node:crypto';
import type { DeviceCode } from './agent.ts';

/** Capital letters and digits without those that look alike: no I, O, 0, 1. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const lifetimeMs = 24 * 3_600_000;

export const deviceCodePattern = new RegExp(`^SVC-AGENT-[${alphabet}]{4}-[${alphabet}]{4}$`);

const letters = (count: number) =>
  Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('');

/** 40 random bits, for a person to type. */
export const newDeviceCode = (): string => `SVC-AGENT-${letters(4)}-${letters(4)}`;

/** 256 random bits. */
export const newAccessToken = (): string => `agt_${randomBytes(32).toString('hex')}`;

export const deviceCodeFrom = (deviceCodeId: string, at: Date): DeviceCode => ({
  deviceCodeId,
  expiresAt: new Date(at.getTime() + lifetimeMs),
});
