/** Both legs of a signed request, from the headers to what the wallet decides. */

import type { WalletCommand } from '../../domain/wallets/commands.ts';
import type { SignedBy, WalletEvent } from '../../domain/wallets/events.ts';
import {
  type Leg,
  type Matter,
  notASigner,
  requireRequest,
  signersFor,
} from '../../domain/wallets/signed-requests.ts';
import {
  liveSessions,
  type Session,
  type SignatureRequest,
  type Wallet,
} from '../../domain/wallets/state.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { type InternalAccountId, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { canonical } from '../../kernel/json.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { WalletSignature } from '../caller.ts';
import type { Commands } from '../commands.ts';
import { isSignedBy, parseStamp, sha256Hex } from './crypto/stamp.ts';
import { ask } from './payloads.ts';

/** The wallet that a request is about, as the log had it when the request arrived. */
export type WalletOf = {
  readonly platformId: PlatformId;
  readonly accountId: InternalAccountId;
  readonly state: Wallet;
};

/** Whatever has to be signed again on the second leg. */
export type Subject = Pick<Matter, 'operation' | 'target'> & {
  readonly body: unknown;
  /** How long the body is taken, where a challenge would outlive it. */
  readonly lifetimeMs?: number | undefined;
};

/** Of a request that a wallet's session signs. */
export type Signing = {
  readonly signature: WalletSignature;
  readonly uuidFor: (what: string) => string;
  readonly cause: Cause;
};
type Deps = { readonly commands: Commands; readonly now: () => Date };

type SignedCommand = Extract<WalletCommand, { leg: Leg }>;
type Unsigned<C> = C extends SignedCommand
  ? Omit<C, 'platformId' | 'accountId' | 'leg' | 'bodySha256' | 'at'>
  : never;

export type SignedOutcome =
  | { readonly challenge: SignatureRequest }
  | { readonly challenge?: undefined; readonly state: Wallet; readonly events: readonly WalletEvent[] };

/** One leg of a signed request, checked as far as the wallet's state at this moment goes. */
export type CheckedLeg = {
  readonly leg: Leg;
  readonly matter: Matter;
  readonly at: Date;
  /** On the second leg: the challenge that it answers. */
  readonly request: SignatureRequest | undefined;
};

/** Runs a command that needs a signature. Throws `Rejected` (401) for what is wrong with the headers or the stamp. */
export const runSigned = (
  deps: Deps,
  request: Signing,
  wallet: WalletOf,
  subject: Subject,
  command: Unsigned<SignedCommand>,
): Promise<SignedOutcome> => runLeg(deps, request, wallet, checkLeg(deps, request, wallet, subject), command);

/** Throws `Rejected` (401) for what is wrong with the headers or the stamp. */
export function checkLeg(
  { now }: Pick<Deps, 'now'>,
  { signature: { stamp, requestId }, uuidFor }: Pick<Signing, 'signature' | 'uuidFor'>,
  { accountId, state }: Pick<WalletOf, 'accountId' | 'state'>,
  { operation, target, body, lifetimeMs }: Subject,
): CheckedLeg {
  const at = now();
  const matter = { operation, target, bodySha256: sha256Hex(canonical(body)) };
  if (stamp === undefined && requestId === undefined) {
    const leg = ask(accountId, matter, body, uuidFor('challenge'), { at, lifetimeMs });
    return { leg, matter, at, request: undefined };
  }
  if (stamp === undefined) throw missingStamp();
  if (requestId === undefined) throw missingRequestId();
  const request = requireRequest(state, matter, requestId, at);
  const signed = requireSigned(stamp, request.payloadToSign, signersFor(state, matter, at));
  const leg = { kind: 'stamped', requestId: request.requestId, ...signed } as const;
  return { leg, matter, at, request };
}

/** Runs the command of a leg that has been checked. */
export async function runLeg(
  { commands }: Pick<Deps, 'commands'>,
  { cause }: Pick<Signing, 'cause'>,
  { platformId, accountId }: WalletOf,
  { leg, matter, at }: CheckedLeg,
  command: Unsigned<SignedCommand>,
): Promise<SignedOutcome> {
  const { bodySha256 } = matter;
  const complete = { ...command, platformId, accountId, leg, bodySha256, at } as SignedCommand;
  const handled = await commands.run('wallet', uuidOf(accountId), complete, cause);
  const asked = handled.events.find(({ type }) => type === 'SignatureRequested');
  if (!asked) return { state: handled.state, events: handled.events };
  invariant(asked.type === 'SignatureRequested' && leg.kind === 'ask', 'a challenge that nobody asked for');
  return { challenge: { ...matter, ...leg.request } };
}

/**
 * A stamp over the text of a quote, by any active session of the wallet: no challenge, no Request-Id. Returns whose it
 * is, for the log. Throws `Rejected` (401).
 */
export function requireQuoteSigned(
  stamp: string | undefined,
  payloadToSign: string,
  wallet: Wallet,
  at: Date,
): SignedBy {
  if (stamp === undefined) throw missingStamp();
  return requireSigned(stamp, payloadToSign, liveSessions(wallet, at));
}

/** For what was signed for and waits: throws `Rejected` (401) where the session is not active any more. */
export function requireSignerActive({ sessionId }: SignedBy, wallet: Wallet, at: Date): void {
  if (!liveSessions(wallet, at).some(({ id }) => id === sessionId)) throw notASigner();
}

function requireSigned(text: string, payloadToSign: string, signers: readonly Session[]): SignedBy {
  const stamp = parseStamp(text);
  const signer = signers.find(({ publicKey }) => publicKey === stamp.publicKey);
  if (!signer) throw notASigner();
  if (isSignedBy(stamp, payloadToSign)) return { sessionId: signer.id, signature: stamp.signature };
  throw new Rejected('WALLET_SIGNATURE_INVALID', 'The signature is not one over payloadToSign.', {
    reason: 'SIGNATURE_INVALID',
  });
}

const missingStamp = () =>
  new Rejected(
    'WALLET_SIGNATURE_MISSING',
    'Send the stamp over payloadToSign in the header Service-Wallet-Signature.',
    { reason: 'SIGNATURE_MISSING' },
  );

export const missingRequestId = () =>
  new Rejected('REQUEST_ID_MISSING', 'Send the requestId of the challenge in the header Request-Id.', {
    reason: 'REQUEST_ID_MISSING',
  });
