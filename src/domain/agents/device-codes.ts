/** The codes that make somebody an agent: of those issued, the last one is good once. */

import { Rejected } from '../../kernel/rejected.ts';
import type { AgentEvent } from './events.ts';
import type { AgentDetails, DeviceCode, KnownAgent } from './state.ts';

export const issued = (
  { agentId }: Pick<AgentDetails, 'agentId'>,
  { deviceCodeId, expiresAt }: DeviceCode,
  at: Date,
): AgentEvent => ({ type: 'DeviceCodeIssued', data: { agentId, deviceCodeId, expiresAt, at } });

/** Throws `Rejected` unless the code is the last one issued, is in time, and is not redeemed. */
export function requireRedeemable({ tokenId, deviceCode }: KnownAgent, deviceCodeId: string, at: Date): void {
  if (deviceCode.deviceCodeId !== deviceCodeId)
    throw unusable('The device code is void: a later one was issued.', 'VOIDED');
  if (tokenId !== undefined) throw unusable('The device code has been redeemed.', 'REDEEMED');
  if (at >= deviceCode.expiresAt) throw unusable('The device code has expired.', 'EXPIRED');
}

export const voidWithoutCustomer = () =>
  unusable('The device code is void: the customer of the agent was deleted.', 'VOIDED');

const unusable = (message: string, reason: string) => new Rejected('INVALID_INPUT', message, { reason });
