/** Device codes: issued by the platform, redeemed once by whoever is to be the agent. */

import { requireRedeemable, voidWithoutCustomer } from '../../domain/agents/device-codes.ts';
import type { DeviceCode, KnownAgent } from '../../domain/agents/state.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { WrongRevision } from '../../infrastructure/event-store/event-store.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Attempt } from '../attempt.ts';
import { mayPay, type Principal } from '../caller.ts';
import type { Commands } from '../commands.ts';
import { whileThere } from '../customers/while-there.ts';
import type { FoundCode } from '../find/agent.ts';
import type { AgentCredentials, KeptDeviceCode } from './credentials.ts';
import { isEmployed, requireEmployed } from './own-accounts.ts';
import type { Redemptions } from './redemptions.ts';
import { deviceCodeFrom, newAccessToken } from './secrets.ts';

/** So many codes in a row that are all taken mean a fault, not chance. */
const drawsMax = 20;

export type DrawDeps = {
  readonly agentCredentials: AgentCredentials;
  /** Codes are kept by it, however the platform's clock stands. */
  readonly installationNow: () => Date;
};
type Deps = DrawDeps & { readonly commands: Commands; readonly now: () => Date };
type RedeemDeps = Deps & { readonly redemptions: Redemptions };
export type IssuedCode = { readonly code: string; readonly deviceCode: DeviceCode };

/** Keeps a new code for the agent. It is good for nothing until the agent's stream has it as its last one. */
export async function drawCode(
  { agentCredentials, installationNow }: DrawDeps,
  kept: KeptDeviceCode,
  at: Date,
): Promise<IssuedCode> {
  for (let draw = 1; draw <= drawsMax; draw++) {
    const code = agentCredentials.drawCode(kept.id, draw);
    if (await agentCredentials.saveCode(code, kept, installationNow()))
      return { code, deviceCode: deviceCodeFrom(kept.id, at) };
  }
  throw new Error(`no device code was free in ${drawsMax} draws`);
}

/** Takes the code back where the event did not come for certain; where that is not known, it may be the agent's. */
export const dropping =
  ({ agentCredentials }: DrawDeps, { deviceCode: { deviceCodeId } }: IssuedCode) =>
  async (error: unknown): Promise<never> => {
    if (error instanceof Rejected || error instanceof WrongRevision)
      await agentCredentials.dropCode(deviceCodeId);
    throw error;
  };

/**
 * A further code, which voids those before it. Throws `Rejected` where the agent is connected already or its customer
 * deleted, and for a caller who may not pay where the agent can by itself: whoever has the code becomes the agent.
 */
export async function issueCode(
  deps: Deps,
  { details: { agentId, platformId, customerId } }: KnownAgent,
  caller: Pick<Principal, 'permissions'>,
  { cause, uuidFor }: Attempt,
): Promise<IssuedCode> {
  await requireEmployed(deps.commands, { platformId, customerId });
  const at = deps.now();
  const issued = await drawCode(deps, { id: uuidFor('device-code'), agentId, platformId }, at);
  const { deviceCode } = issued;
  const command = { type: 'IssueDeviceCode', deviceCode, mayPay: mayPay(caller), at } as const;
  const ofCustomer = whileThere(deps.commands, customerId, cause);
  await deps.commands.run('agent', uuidOf(agentId), command, ofCustomer).catch(dropping(deps, issued));
  return issued;
}

export const isRedeemed = ({ kept, agent: { tokenId, deviceCode } }: FoundCode): boolean =>
  tokenId !== undefined && deviceCode.deviceCodeId === kept.id;

/** Which attempt it is: `key` is the client's own, the same whenever it sends the same redemption again. */
type Redeeming = { readonly tokenId: string; readonly key: string | undefined };

/**
 * The access token of the agent. Of several redemptions one succeeds; the token is kept before, so that it works as
 * soon as the agent's stream names it. The one that succeeded is answered again for a minute where it had a key and comes
 * with the same. Throws `Rejected` for a code that is used, void or expired; without the customer, all are void.
 */
export async function redeem(
  deps: RedeemDeps,
  { kept, agent }: FoundCode,
  { tokenId, key }: Redeeming,
  cause: Cause,
): Promise<string> {
  const { agentId, platformId, id: deviceCodeId } = kept;
  if (!(await isEmployed(deps.commands, agent.details))) throw voidWithoutCustomer();
  const answered = await answeredBefore(deps, { kept, agent }, key);
  if (answered) return answered;
  const at = deps.now();
  // Nobody makes the service write by knocking: what is recorded decides, and this only saves the attempt.
  requireRedeemable(agent, deviceCodeId, at);
  const accessToken = newAccessToken();
  await deps.agentCredentials.saveToken(accessToken, { id: tokenId, agentId }, at);
  if (key !== undefined) await deps.redemptions.keep(tokenId, accessToken, key, deps.installationNow());
  const command = { type: 'RedeemDeviceCode', deviceCodeId, tokenId, at } as const;
  try {
    await deps.commands.run('agent', uuidOf(agentId), command, { ...cause, platformId });
    return accessToken;
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    await deps.agentCredentials.dropToken(tokenId);
    await deps.redemptions.drop(tokenId);
    // The same client may have come first with an attempt that it gave up waiting for.
    const now = await deps.commands.load('agent', uuidOf(agentId));
    const first = now.status === 'ACTIVE' && (await answeredBefore(deps, { kept, agent: now }, key));
    if (first) return first;
    throw error;
  }
}

/** The token that this code was redeemed for, for the client that redeemed it. */
async function answeredBefore(
  { redemptions, installationNow }: RedeemDeps,
  found: FoundCode,
  key: string | undefined,
): Promise<string | undefined> {
  const { tokenId } = found.agent;
  if (key === undefined || tokenId === undefined || !isRedeemed(found)) return undefined;
  return redemptions.again(tokenId, key, installationNow());
}
