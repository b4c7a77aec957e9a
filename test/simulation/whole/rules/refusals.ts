/** Where a request was refused, there was a reason for it in the log while it was under way. */
import type { DomainEvent } from '../../../../src/domain/aggregates.ts';
import type { Json } from '../../../support/http/client.ts';
import type { KnownPayment } from '../../life.ts';
import { type Asked, decides, type Heard } from '../client.ts';
import type { Known, Rule } from './rules.ts';

type Refused = { readonly asked: Asked; readonly answer: Heard; readonly known: Known };

/** Whether such an event of it was there before the answer. */
const wasThere = (
  { known, answer }: Refused,
  type: DomainEvent['type'],
  member: string,
  id: unknown,
): boolean =>
  known.finished.some(
    (event) =>
      event.type === type &&
      event.position <= answer.to &&
      (event.data as Readonly<Record<string, unknown>>)[member] === id,
  );

/** The least that an account had while the request was under way. In minor units. */
function leastOf({ asked, answer, known }: Refused, accountId: unknown): bigint {
  let least: bigint | undefined;
  let balance = 0n;
  for (const event of known.finished) {
    if (event.position > answer.to) break;
    if (!('balanceAfter' in event.data) || event.data.accountId !== accountId) continue;
    if (event.position > asked.from && least === undefined) least = balance;
    balance = event.data.balanceAfter;
    if (least !== undefined && balance < least) least = balance;
  }
  return least ?? balance;
}

/** The payment of the quote that is executed. */
function executed({ asked, known }: Refused): KnownPayment | undefined {
  const [, quoteId] = /quotes\/(.*)\/execute$/.exec(asked.path) ?? [];
  return known.ended.find(({ terms }) => terms.kind === 'quote' && terms.quote.quoteId === quoteId);
}

/** What a payment takes, and from where: the request says so, or the quote that it executes. */
function spending(refused: Refused): { readonly accountId: unknown; readonly minor: bigint } | undefined {
  const { path, body }: { path: string; body?: Json } = refused.asked;
  if (/transfer-out$/.test(path) && body)
    return { accountId: body.source.accountId, minor: BigInt(body.amount) };
  const paid = executed(refused);
  if (paid?.terms.source.kind !== 'INTERNAL') return undefined;
  return { accountId: paid.terms.source.accountId, minor: paid.terms.sending.minor };
}

/** Whether another request had asked for the same by the time of the answer. */
const wasAsked = ({ asked, answer, known }: Refused, method: Asked['method']): boolean =>
  known.asked.some(
    (other) =>
      other !== asked &&
      other.method === method &&
      other.path === asked.path &&
      other.from >= 0n &&
      other.from <= answer.to,
  );

/** What has to be so where a request was refused with the code. Others have no ground in the log alone. */
const grounds: Readonly<Record<string, (refused: Refused) => boolean>> = {
  INSUFFICIENT_BALANCE(refused) {
    const spent = spending(refused);
    return !spent || leastOf(refused, spent.accountId) < spent.minor;
  },
  /**
   * What is refused so is executed by nobody but one who had asked by then, and took the time before. A process that has
   * not heard that the platform's clock stands still goes by one that runs (decision 61).
   */
  QUOTE_EXPIRED(refused) {
    const paid = executed(refused);
    const isOf = ({ data }: DomainEvent) =>
      'transactionId' in data && data.transactionId === paid?.terms.transactionId;
    const isExecuted = refused.known.finished.some(
      (event) => event.type === 'TransactionProcessing' && isOf(event),
    );
    const isStopped = wasThere(refused, 'PlatformClockFrozen', 'platformId', paid?.terms.platformId);
    return !isExecuted || isStopped || wasAsked(refused, 'POST');
  },
  INVITATION_ALREADY_CLAIMED: (refused) => isInvitation(refused, 'InvitationClaimed'),
  INVITATION_CANCELLED: (refused) =>
    isInvitation(refused, 'InvitationCancelled') ||
    wasThere(refused, 'CustomerDeleted', 'customerId', createdInvitation(refused)?.data.customerId),
  /** The log is told of it a moment later. */
  TOKEN_NOT_FOUND: (refused) => {
    const id = refused.asked.path.replace(/^.*\//, '');
    return wasAsked(refused, 'DELETE') || !wasThere(refused, 'TokenIssued', 'tokenId', id);
  },
};

/** The beginning of the invitation that the request names. */
function createdInvitation({ asked, known }: Refused) {
  const [, code] = /invitations\/([^/]*)/.exec(asked.path) ?? [];
  return known.finished
    .filter((event) => event.type === 'InvitationCreated')
    .find(({ data }) => data.code === code);
}

function isInvitation(refused: Refused, type: DomainEvent['type']): boolean {
  const { answer, known } = refused;
  const created = createdInvitation(refused);
  return known.finished.some(
    (event) => event.type === type && event.stream === created?.stream && event.position <= answer.to,
  );
}

/** An account elsewhere is refused once it is deleted, or gone by a way back; what was registered a moment ago is there. */
function isGone(refused: Refused): boolean {
  const { body } = refused.asked;
  const text = JSON.stringify(body ?? {});
  const named = text.match(/ExternalAccount:[0-9a-f-]+/g) ?? [];
  return (
    named.length === 0 ||
    named.some(
      (id) =>
        wasThere(refused, 'ExternalAccountDeleted', 'externalAccountId', id) ||
        !wasThere(refused, 'ExternalAccountCreated', 'externalAccountId', id),
    )
  );
}

export const ofRefusals: Readonly<Record<string, Rule>> = {
  *'a refusal names a rule that held'(known) {
    for (const asked of known.asked)
      for (const answer of asked.answers.filter(decides)) {
        const code: string = answer.body?.code ?? '';
        const isPayment = /transfer-(in|out)$/.test(asked.path);
        const isHeldIn = (refused: Refused): boolean =>
          code === 'REFERENCE_NOT_FOUND' && isPayment ? isGone(refused) : (grounds[code]?.(refused) ?? true);
        const eras = new Set([known.at(asked.from), known.at(answer.from), known.at(answer.to)]);
        if (![...eras].some((era) => isHeldIn({ asked, answer, known: era })))
          yield `${asked.method} ${asked.path}: ${code}, ${answer.body.message}`;
      }
  },
};
