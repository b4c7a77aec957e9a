/**
 * Takes a name for one who is about to have it. Where somebody else holds it whose request was cut short, that claim is
 * ended first, in the stream of the one who would have the name: so at most one of them ever comes to have it, whatever
 * the clocks say and however late a request goes on.
 */
import * as customers from '../domain/customers/customer.ts';
import * as externalAccounts from '../domain/external-accounts/external-account.ts';
import * as platforms from '../domain/platforms/platform.ts';
import { claimsToEnd, type EndedClaims, type Wanted } from '../domain/reservations/reservation.ts';
import type { Cause } from '../infrastructure/commands/dispatch.ts';
import type { Sealer } from '../infrastructure/secrets/sealing.ts';
import { isId, uuidOf } from '../kernel/ids.ts';
import { canonical } from '../kernel/json.ts';
import { Rejected } from '../kernel/rejected.ts';
import type { Attempt } from './attempt.ts';
import type { Commands } from './commands.ts';

type Name = {
  /** The name's stream. */
  readonly reservation: string;
  /** The name itself, where it is a domain of payment addresses. */
  readonly domain?: string | undefined;
};

/** Others may take the name, or let go of it, between a refusal and the next try: as many as ask for it at once. */
const triesMax = 100;

/** Throws `Rejected`, in the words of `wanted.taken`, while somebody else has the name or is taking it. */
export async function takeName(
  commands: Commands,
  { reservation, domain }: Name,
  wanted: Wanted,
  cause: Cause,
): Promise<void> {
  let ended: EndedClaims | undefined;
  let isLast = false;
  for (let tries = 1; ; tries++) {
    try {
      await commands.run('reservation', reservation, { type: 'ReserveName', ...wanted, ended }, cause);
      return;
    } catch (error) {
      if (!(error instanceof Rejected) || isLast) throw error;
      isLast = tries === triesMax;
      const state = await commands.load('reservation', reservation);
      // Whoever had it has let go of it since.
      if (state.status === 'free') continue;
      const toEnd = claimsToEnd(state, wanted);
      if (!toEnd) throw error;
      ended = await endAll(commands, { reservation, domain }, toEnd, { at: wanted.at, cause });
      isLast ||= ended.claims.length < toEnd.claims.length;
    }
  }
}

type Ending = { readonly at: Date; readonly cause: Cause };

/** Those that could be ended: not those under which somebody has the name by now. */
async function endAll(
  commands: Commands,
  name: Name,
  { holder, claims }: EndedClaims,
  ending: Ending,
): Promise<EndedClaims> {
  const ended: (string | undefined)[] = [];
  for (const claim of claims) if (await endOne(commands, name, { holder, claim }, ending)) ended.push(claim);
  return { holder, claims: ended };
}

type Claimed = { readonly holder: string; readonly claim: string | undefined };

async function endOne(
  commands: Commands,
  { reservation, domain }: Name,
  { holder, claim }: Claimed,
  { at, cause }: Ending,
): Promise<boolean> {
  const uuid = uuidOf(holder);
  const end = { type: 'EndClaim', at } as const;
  if (isId('Customer', holder)) {
    const name = { reservation, claim };
    const command = { ...end, customerId: holder, reservation, claim };
    return customers.hasEnded((await commands.run('customer', uuid, command, cause)).state, name);
  }
  if (isId('ExternalAccount', holder)) {
    const command = { ...end, externalAccountId: holder };
    return externalAccounts.hasEnded((await commands.run('externalAccount', uuid, command, cause)).state);
  }
  if (domain === undefined || !isId('Platform', holder)) return false;
  // One that is not there yet is made at the next start of its service.
  if ((await commands.load('platform', uuid)).status === 'none') return false;
  const { state } = await commands.run('platform', uuid, { ...end, domain, claim }, cause);
  return platforms.hasEnded(state, { domain, claim });
}

/**
 * What tells that a request without an Idempotency-Key is the same as another, which it may take over from. With a key
 * the key says so.
 */
export const sameRequest = (
  sealer: Pick<Sealer, 'fingerprint'>,
  { isKeyed }: Pick<Attempt, 'isKeyed'>,
  what: readonly unknown[],
): string | undefined =>
  isKeyed
    ? undefined
    : Buffer.from(sealer.fingerprint(canonical(what), 'same-request').mac).toString('base64url');
