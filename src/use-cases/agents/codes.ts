/** Device codes: issued by the platform, redeemed once by whoever is to be the agent. */

import { requireRedeemable } from '../../domain/agents/device-codes.ts';
import type { DeviceCode, KnownAgent } from '../../domain/agents/state.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { type AgentId, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';
import type { AgentCredentials, KeptDeviceCode } from './credentials.ts';
import { deviceCodeFrom, newAccessToken, newDeviceCode } from './secrets.ts';

/** So many codes in a row that are all taken mean a fault, not chance. */
const drawsMax = 20;

type Deps = {
  readonly commands: Commands;
  readonly agentCredentials: AgentCredentials;
  readonly now: () => Date;
};
type Issued = { readonly code: string; readonly deviceCode: DeviceCode };

/** Keeps a new code for the agent. It is good for nothing until the agent's stream has it as its last one. */
export async function drawCode(
  { agentCredentials }: Pick<Deps, 'agentCredentials'>,
  agentId: AgentId,
  platformId: PlatformId,
  deviceCodeId: string,
  at: Date,
): Promise<Issued> {
  for (let draw = 1; draw <= drawsMax; draw++) {
    const code = newDeviceCode();
    if (await agentCredentials.saveCode(code, { id: deviceCodeId, agentId, platformId }))
      return { code, deviceCode: deviceCodeFrom(deviceCodeId, at) };
  }
  throw new Error(`no device code was free in ${drawsMax} draws`);
}

export const renderCode = ({ code, deviceCode: { expiresAt } }: Issued, agentId: AgentId) => ({
  code,
  agentId,
  expiresAt: expiresAt.toISOString(),
  redeemed: false,
});

export type KnownCode = { readonly kept: KeptDeviceCode; readonly agent: KnownAgent };

/** Throws `Rejected` (404) for an unknown code, and for that of a deleted agent. */
export async function findCode({ commands, agentCredentials }: Deps, code: string): Promise<KnownCode> {
  const kept = await agentCredentials.findCode(code);
  if (!kept) throw deviceCodeNotFound();
  const agent = await commands.load('agent', uuidOf(kept.agentId));
  if (agent.status !== 'ACTIVE') throw deviceCodeNotFound();
  return { kept, agent };
}

export const isRedeemed = ({ kept, agent: { tokenId, deviceCode } }: KnownCode): boolean =>
  tokenId !== undefined && deviceCode.deviceCodeId === kept.id;

/**
 * The access token of the agent. Of several redemptions one succeeds; the token is kept before, so that it works as
 * soon as the agent's stream names it. Throws `Rejected` for a code that is used, void or expired.
 */
export async function redeem(
  { commands, agentCredentials, now }: Deps,
  { kept, agent }: KnownCode,
  tokenId: string,
  cause: Cause,
): Promise<string> {
  const { agentId, platformId, id: deviceCodeId } = kept;
  const at = now();
  // Nobody makes the service write by knocking: what is recorded decides, and this only saves the attempt.
  requireRedeemable(agent, deviceCodeId, at);
  const accessToken = newAccessToken();
  await agentCredentials.saveToken(accessToken, { id: tokenId, agentId }, at);
  const command = { type: 'RedeemDeviceCode', deviceCodeId, tokenId, at } as const;
  try {
    await commands.run('agent', uuidOf(agentId), command, { ...cause, platformId });
    return accessToken;
  } catch (error) {
    if (error instanceof Rejected) await agentCredentials.dropToken(tokenId);
    throw error;
  }
}

export const deviceCodeNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'There is no such device code.', { resource: 'DeviceCode' });
