/** Signatures of wallets' session keys, checked again by what the log has: the text, the key and when it was good. */

import { streamOf } from '../../../../domain/streams.ts';
import type { LogReader } from '../../../../infrastructure/event-store/postgres/reader.ts';
import type { InternalAccountId, TransactionId } from '../../../../kernel/ids.ts';
import { isSignedBy } from '../../../../use-cases/wallets/crypto/stamp.ts';
import { eventsOf, type ReadEvent } from './reading.ts';

export type Checked = {
  readonly sessionId: string;
  readonly credentialId: string | undefined;
  readonly publicKey: string | undefined;
  /** `not kept`: by a version that did not write signatures to the log. */
  readonly verdict: 'valid' | 'wrong' | 'not kept';
  readonly because?: string;
};

type Claim = {
  readonly accountId: InternalAccountId;
  readonly sessionId: string;
  readonly signature: string | undefined;
  /** Where the text that was signed is. */
  readonly of: { readonly requestId: string } | { readonly transactionId: TransactionId };
};

/** The signature that an event rests on; `undefined` where it rests on none. */
export async function checkSignature(
  log: Pick<LogReader, 'read'>,
  read: ReadEvent,
): Promise<Checked | undefined> {
  const claim = claimOf(read);
  if (!claim) return undefined;
  const { accountId, sessionId, signature } = claim;
  const wallet: ReadEvent[] = [];
  for await (const one of eventsOf(log, streamOf('wallet', accountId)))
    if (isAbout(one, claim)) wallet.push(one);
  const issued = wallet.map(({ event }) => event).find(({ type }) => type === 'SessionIssued');
  const session = issued?.type === 'SessionIssued' ? issued.data : undefined;
  const common = { sessionId, credentialId: session?.credentialId, publicKey: session?.publicKey };
  if (signature === undefined) return { ...common, verdict: 'not kept' };
  const wrong = (because: string): Checked => ({ ...common, verdict: 'wrong', because });
  if (!session) return wrong('the session is not in the log');
  const text = await textOf(log, claim, wallet);
  if (text === undefined) return wrong('the text that was signed is not in the log');
  if (!isSignedBy({ publicKey: session.publicKey, signature }, text))
    return wrong('the signature is not one over the text by the key of the session');
  if (read.moments.happened > session.expiresAt) return wrong('the session had expired');
  const revoked = wallet.find(({ event }) => event.type === 'SessionRevoked');
  if (revoked && revoked.position < read.position) return wrong('the session had been revoked');
  return { ...common, verdict: 'valid' };
}

function claimOf({ event }: ReadEvent): Claim | undefined {
  const { data } = event;
  if (event.type === 'AccountDebited' && event.data.signedBy) {
    const { accountId, transactionId, signedBy } = event.data;
    return { accountId, ...signedBy, of: { transactionId } };
  }
  if ('operation' in data && typeof data.operation === 'object' && data.operation.type === 'EXECUTE_QUOTE') {
    const { signedBy, source, transactionId } = data.operation;
    if (!signedBy || source.kind !== 'INTERNAL') return undefined;
    return { accountId: source.accountId, ...signedBy, of: { transactionId } };
  }
  const authorised = 'authorisedBy' in data ? data.authorisedBy : undefined;
  const by = authorised ?? (event.type === 'SessionIssued' ? refreshOf(event.data.proof) : undefined);
  if (!by || !('accountId' in data)) return undefined;
  const { sessionId, signature, requestId } = by;
  return { accountId: data.accountId, sessionId, signature, of: { requestId } };
}

const refreshOf = <P extends { readonly type: string }>(proof: P) =>
  proof.type === 'REFRESH'
    ? (proof as Extract<P, { type: 'REFRESH' }> & { authorisedBy: never }).authorisedBy
    : undefined;

/** Of a wallet's events those that a claim is checked by. */
function isAbout({ event }: ReadEvent, { sessionId, of }: Claim): boolean {
  if (event.type === 'SessionIssued' || event.type === 'SessionRevoked')
    return event.data.sessionId === sessionId;
  return event.type === 'SignatureRequested' && 'requestId' in of && event.data.requestId === of.requestId;
}

async function textOf(
  log: Pick<LogReader, 'read'>,
  { of }: Claim,
  wallet: readonly ReadEvent[],
): Promise<string | undefined> {
  if ('requestId' in of) {
    const asked = wallet.map(({ event }) => event).find(({ type }) => type === 'SignatureRequested');
    return asked?.type === 'SignatureRequested' ? asked.data.payloadToSign : undefined;
  }
  for await (const { event } of eventsOf(log, streamOf('transaction', of.transactionId)))
    if (event.type === 'QuoteCreated' && event.data.source.kind === 'INTERNAL')
      return event.data.source.payloadToSign;
  return undefined;
}
