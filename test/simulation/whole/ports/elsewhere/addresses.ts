/** Where servers of the simulation are, in a range that nobody has, and how they and the processes know each other. */
import type { Known } from './signed-service.ts';

const secretOf = (n: number): string => `whsec_${Buffer.alloc(32, n).toString('base64')}`;

export const mailAddress = '192.0.2.25';
export const screening: Known = {
  address: '192.0.2.10',
  otherAddress: '192.0.2.99',
  secret: secretOf(5),
  events: '/screening/events',
};
export const rail: Known = {
  address: '192.0.2.20',
  otherAddress: '192.0.2.98',
  secret: secretOf(6),
  events: '/rail/events',
};
/** Of nobody that Daybook knows. */
export const otherSecret = secretOf(9);
