/** Both legs of a signed request, from the headers to what the wallet decides (completion 16.3 and 16.4). */
import type { Commands } from '../aggregates.ts';
import { Rejected } from '../infrastructure/commands/rejected.ts';
import { canonical } from '../infrastructure/http/json.ts';
import type { Operation, Request, WalletSignature } from '../infrastructure/http/operation.ts';
import { type InternalAccountId, idOf, newSecret, type PlatformId, uuidOf } from '../infrastructure/ids.ts';
import { invariant } from '../infrastructure/invariant.ts';
import { isSignedBy, parseStamp, sha256Hex } from '../wallet-crypto/stamp.ts';
import type { WalletEvent } from '../wallets/events.ts';
import { type Leg, type Matter, notASigner, requireRequest, signersFor } from '../wallets/signed-requests.ts';
import { liveSessions, type Session, type SignatureRequest, type Wallet } from '../wallets/state.ts';
import type { WalletCommand } from '../wallets/wallet.ts';

/** Completion 16.4. */
const challengeLifetimeMs = 300_000;

/** The wallet that a request is about, as the log had it when the request arrived. */
export type WalletOf = {
  readonly platformId: PlatformId;
  readonly accountId: InternalAccountId;
  readonly state: Wallet;
};

/** Whatever has to be signed again on the second leg. */
export type Subject = Pick<Matter, 'operation' | 'target'> & { readonly body: unknown };

type Signing = Pick<Request<Operation>, 'signature' | 'uuidFor' | 'cause'>;
type Deps = { readonly commands: Commands; readonly now: () => Date };

type SignedCommand = Extract<WalletCommand, { leg: Leg }>;
type Unsigned<C> = C extends SignedCommand
  ? Omit<C, 'platformId' | 'accountId' | 'leg' | 'bodySha256' | 'at'>
  : never;

export type SignedOutcome =
  | { readonly challenge: SignatureRequest }
  | { readonly challenge?: undefined; readonly state: Wallet; readonly events: readonly WalletEvent[] };

/** Runs a command that needs a signature. Throws `Rejected` (401) for what is wrong with the headers or the stamp. */
export async function runSigned(
  { commands, now }: Deps,
  { signature, uuidFor, cause }: Signing,
  { platformId, accountId, state }: WalletOf,
  { operation, target, body }: Subject,
  command: Unsigned<SignedCommand>,
): Promise<SignedOutcome> {
  const at = now();
  const matter = matterOf({ operation, target, body });
  const leg = legOf(signature, state, matter, at) ?? ask(accountId, matter, body, uuidFor('challenge'), at);
  const { bodySha256 } = matter;
  const complete = { ...command, platformId, accountId, leg, bodySha256, at } as SignedCommand;
  const handled = await commands.run('wallet', uuidOf(accountId), complete, cause);
  const asked = handled.events.find(({ type }) => type === 'SignatureRequested');
  if (!asked) return { state: handled.state, events: handled.events };
  invariant(asked.type === 'SignatureRequested' && leg.kind === 'ask', 'a challenge that nobody asked for');
  return { challenge: { ...matter, ...leg.request } };
}

const matterOf = ({ operation, target, body }: Subject): Matter => ({
  operation,
  target,
  bodySha256: sha256Hex(canonical(body)),
});

/** The challenge that a second leg answers. Throws `Rejected` (401) for one that is not signed as it has to be. */
export function stampedRequest(
  signature: WalletSignature,
  state: Wallet,
  subject: Subject,
  at: Date,
): SignatureRequest | undefined {
  const leg = legOf(signature, state, matterOf(subject), at);
  return leg?.kind === 'stamped' ? state.requests.get(leg.requestId) : undefined;
}

/** The second leg, checked as far as the wallet's state at this moment goes; `undefined` on the first. */
function legOf(
  { stamp, requestId }: WalletSignature,
  state: Wallet,
  matter: Matter,
  at: Date,
): Leg | undefined {
  if (stamp === undefined && requestId === undefined) return undefined;
  if (stamp === undefined) throw missingStamp();
  if (requestId === undefined) throw missingRequestId();
  const request = requireRequest(state, matter, requestId, at);
  const signer = requireSigned(stamp, request.payloadToSign, signersFor(state, matter, at));
  return { kind: 'stamped', requestId: request.requestId, sessionId: signer.id };
}

/** A stamp over the text of a quote, by any active session of the wallet: no challenge, no Request-Id. */
export function requireQuoteSigned(
  stamp: string | undefined,
  payloadToSign: string,
  wallet: Wallet,
  at: Date,
): void {
  if (stamp === undefined) throw missingStamp();
  requireSigned(stamp, payloadToSign, liveSessions(wallet, at));
}

function requireSigned(text: string, payloadToSign: string, signers: readonly Session[]): Session {
  const stamp = parseStamp(text);
  const signer = signers.find(({ publicKey }) => publicKey === stamp.publicKey);
  if (!signer) throw notASigner();
  if (isSignedBy(stamp, payloadToSign)) return signer;
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

type Signable = Readonly<Record<string, unknown>> & { readonly issuedAt: Date; readonly expiresAt: Date };

/** The text that a session key signs, as it is: base64 of canonical JSON that nobody can predict. */
const payloadOf = ({ issuedAt, expiresAt, ...members }: Signable): string =>
  Buffer.from(
    canonical({
      ...members,
      issuedAt: issuedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      nonce: newSecret(),
    }),
  ).toString('base64');

type QuotePayload = Signable & { readonly terms: object };

/** The same for a quote: `bodySha256` is over its terms in canonical JSON. */
export const quotePayloadOf = ({ terms, ...members }: QuotePayload): string =>
  payloadOf({ ...members, bodySha256: sha256Hex(canonical(terms)) });

function ask(
  accountId: InternalAccountId,
  { operation, target, bodySha256 }: Matter,
  body: unknown,
  uuid: string,
  at: Date,
): Leg & { readonly kind: 'ask' } {
  const requestId = idOf('Request', uuid);
  const expiresAt = new Date(at.getTime() + challengeLifetimeMs);
  const bound = typeof body === 'object' && body !== null && 'clientPublicKey' in body ? body : undefined;
  const payloadToSign = payloadOf({
    ...{ requestId, operation, accountId, target, bodySha256 },
    clientPublicKey: bound?.clientPublicKey,
    ...{ issuedAt: at, expiresAt },
  });
  return { kind: 'ask', request: { requestId, payloadToSign, expiresAt } };
}
