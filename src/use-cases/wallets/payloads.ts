/** The texts that session keys sign. */
import type { Leg, Matter } from '../../domain/wallets/signed-requests.ts';
import { challengeLifetimeMs } from '../../domain/wallets/state.ts';
import type { InternalAccountId } from '../../kernel/ids.ts';
import { idOf, newSecret } from '../../kernel/ids.ts';
import { canonical } from '../../kernel/json.ts';
import { sha256Hex } from './crypto/stamp.ts';

type Signable = Readonly<Record<string, unknown>> & {
  readonly issuedAt: Date;
  readonly expiresAt: Date;
};

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

/** A new challenge for the first leg of a signed request. */
export function ask(
  accountId: InternalAccountId,
  { operation, target, bodySha256 }: Matter,
  body: unknown,
  uuid: string,
  { at, lifetimeMs = challengeLifetimeMs }: { readonly at: Date; readonly lifetimeMs?: number | undefined },
): Leg & { readonly kind: 'ask' } {
  const requestId = idOf('Request', uuid);
  const expiresAt = new Date(at.getTime() + Math.min(lifetimeMs, challengeLifetimeMs));
  const bound = typeof body === 'object' && body !== null && 'clientPublicKey' in body ? body : undefined;
  const payloadToSign = payloadOf({
    requestId,
    operation,
    accountId,
    target,
    bodySha256,
    clientPublicKey: bound?.clientPublicKey,
    issuedAt: at,
    expiresAt,
  });
  return { kind: 'ask', request: { requestId, payloadToSign, expiresAt } };
}
