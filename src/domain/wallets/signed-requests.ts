/** The signed retry: which challenge a retry may answer, and whose session may sign for it. */

import type { AuthMethodId, InternalAccountId, RequestId } from '../../kernel/ids.ts';
import { Rejected, unauthorized } from '../../kernel/rejected.ts';
import type { AuthorisedBy, SignedOperation, WalletEvent } from './events.ts';
import { requestsMax, revocationsMax } from './evolve.ts';
import { requireFewer } from './rules.ts';
import { isLive, liveSessions, type Session, type SignatureRequest, type Wallet } from './state.ts';

/** What is to be authorised, the same on both legs. `bodySha256` is over the parsed body. */
export type Matter = {
  readonly operation: SignedOperation;
  readonly target: string;
  readonly bodySha256: string;
};

/** The first leg asks for a challenge, the second one has answered it with a session's key. */
export type Leg =
  | { readonly kind: 'ask'; readonly request: Omit<SignatureRequest, keyof Matter | 'affected'> }
  | ({ readonly kind: 'stamped' } & AuthorisedBy);

/** Throws `Rejected` (401) unless the challenge is there, unused, in time, and for exactly this. */
export function requireRequest(
  wallet: Wallet,
  matter: Matter,
  requestId: string,
  at: Date,
): SignatureRequest {
  const request = requestOf(wallet, requestId);
  if (!request) throw requestUnknown();
  if (!isLive(request, at))
    throw unauthorized('The challenge has expired: start again without the headers.', 'REQUEST_EXPIRED');
  if (request.operation !== matter.operation || request.target !== matter.target)
    throw unauthorized('This Request-Id belongs to another operation or resource.', 'REQUEST_MISMATCH');
  if (request.bodySha256 === matter.bodySha256) return request;
  throw new Rejected(
    'WALLET_SIGNATURE_BODY_MISMATCH',
    'The body differs from the one that the challenge was issued for. Send the same one.',
    { reason: 'BODY_MISMATCH' },
  );
}

/** `requestId` is what a caller has sent: it need not be the id of anything. */
const requestOf = ({ requests }: Wallet, requestId: string): SignatureRequest | undefined =>
  requests.get(requestId as RequestId);

const requestUnknown = () =>
  unauthorized('This Request-Id is not known, or has been used.', 'REQUEST_ID_UNKNOWN');

/**
 * The refusal where the credential or session does not exist: "not found", or "Request-Id unknown" where the request names
 * an id that was used up, or that no challenge of the wallet has.
 */
export const missingUnder = (
  requestId: string | undefined,
  wallet: Wallet | undefined,
  notFound: Rejected,
): Rejected =>
  requestId === undefined || (wallet && requestOf(wallet, requestId)) ? notFound : requestUnknown();

const revokes: readonly SignedOperation[] = ['revokeCredential', 'revokeSession'];

/** Throws `Rejected` (429) while as many challenges wait for their answers as may: none of them is void for a further one. */
function requireRoom({ requests }: Wallet, operation: SignedOperation, at: Date): void {
  const most = requestsMax + (revokes.includes(operation) ? revocationsMax : 0);
  const live = [...requests.values()].filter((request) => isLive(request, at));
  requireFewer(live, most, at, 'challenges that wait for their answers');
}

/** The sessions whose keys may sign: for a refresh its own, for a revoked credential those of the others. */
export function signersFor(
  wallet: Wallet,
  { operation, target }: Pick<Matter, 'operation' | 'target'>,
  at: Date,
): readonly Session[] {
  const live = liveSessions(wallet, at);
  switch (operation) {
    case 'refreshSession':
      return live.filter(({ id }) => id === target);
    case 'revokeCredential':
      return live.filter(({ credentialId }) => credentialId !== target);
    default:
      return live;
  }
}

export const notASigner = () =>
  new Rejected(
    'WALLET_SIGNATURE_INVALID',
    'The stamp is not by the key of an active session that may sign this.',
    { reason: 'SESSION_NOT_ALLOWED' },
  );

type Rules = {
  /** What has to be the same on both legs, besides the request. */
  readonly affected?: readonly AuthMethodId[];
  /** Throws what is wrong with the request itself. */
  readonly rule?: () => void;
  readonly effect: (authorisedBy: AuthorisedBy) => readonly WalletEvent[];
};
type SignedCommand = {
  readonly accountId: InternalAccountId;
  readonly leg: Leg;
  readonly bodySha256: string;
  readonly at: Date;
};

/** The first leg leads to a challenge, the second to the effect. Throws `Rejected` where it may not. */
export function signed(
  { accountId, leg, bodySha256, at }: SignedCommand,
  wallet: Wallet,
  operation: SignedOperation,
  target: string,
  { affected, rule, effect }: Rules,
): readonly WalletEvent[] {
  const matter: Matter = { operation, target, bodySha256 };
  if (leg.kind === 'ask') {
    requireRoom(wallet, operation, at);
    rule?.();
    const bound = affected ? { affected: [...affected] } : {};
    return [{ type: 'SignatureRequested', data: { accountId, ...matter, ...leg.request, ...bound, at } }];
  }
  const { kind: _kind, ...authorisedBy } = leg;
  const { requestId, sessionId } = authorisedBy;
  requireRequest(wallet, matter, requestId, at);
  if (!signersFor(wallet, matter, at).some(({ id }) => id === sessionId)) throw notASigner();
  rule?.();
  return effect(authorisedBy);
}
