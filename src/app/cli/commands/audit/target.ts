/** What an auditor asks about: which events of the log belong to it. */

import { aggregates } from '../../../../domain/aggregates.ts';
import { systemAccounts } from '../../../../domain/books/postings.ts';
import { receivingSideId } from '../../../../domain/payments/receiving-side.ts';
import { isStreamOf, type Kind, streamOf, uuidOfStream } from '../../../../domain/streams.ts';
import { anyUuid, type IdType, idOf, isId, uuidOf } from '../../../../kernel/ids.ts';
import { UsageError } from '../../usage-error.ts';
import { NotInLog } from './outcome.ts';
import { eventsOf, type ReadEvent, readable } from './reading.ts';
import type { StandingLog } from './standing.ts';

type Events = AsyncIterable<ReadEvent>;
type Finding = (log: StandingLog, id: string) => Events;

const ofStream =
  (kind: Kind): Finding =>
  (log, id) =>
    eventsOf(log, streamOf(kind, id));

/** Where the events of each type of ids are; `undefined` of what no event is about. */
const findings: Readonly<Record<IdType, Finding | undefined>> = {
  Platform: ofStream('platform'),
  PlatformConfig: ofStream('platform'),
  Customer: customerEvents,
  BeneficialOwner: ofStream('beneficialOwner'),
  Document: ofStream('document'),
  Verification: ofStream('verification'),
  InternalAccount: ofStream('account'),
  ExternalAccount: ofStream('externalAccount'),
  Quote: paymentEvents,
  Transaction: paymentEvents,
  Lookup: ofStream('lookup'),
  Invitation: ofStream('invitation'),
  Token: ofStream('token'),
  Agent: ofStream('agent'),
  AgentAction: actionEvents,
  AuthMethod: mentioning,
  Session: mentioning,
  Request: mentioning,
  Webhook: undefined,
  WebhookKey: undefined,
  Fault: undefined,
  Snapshot: mentioning,
};

/** With the generation of a stream that goes on elsewhere: the log has it under both names. */
const streamName = new RegExp(
  `^(${Object.values(aggregates)
    .map(({ category }) => category)
    .join('|')})-${anyUuid}(\\.[1-9][0-9]*)?$`,
);

/**
 * The events of a stream, an account, a payment with its entries, a customer with all that is the customer's, an agent's
 * action with its payment, all that names a credential, a session or a signed request of a wallet, or of another id; in
 * the order of the log. Those without a stream of their own are looked for in the whole log. Throws `NotInLog` where there
 * are none, and `UsageError` for what is no stream and no id.
 */
export async function* eventsAbout(
  log: StandingLog,
  target: string,
): AsyncGenerator<ReadEvent, void, undefined> {
  let isThere = false;
  for await (const read of found(log, target)) {
    isThere = true;
    yield read;
  }
  if (!isThere) throw new NotInLog(`There is nothing of ${target} in the log.`);
}

function found(log: StandingLog, target: string): Events {
  if (streamName.test(target)) return eventsOf(log, target);
  for (const [type, find] of Object.entries(findings))
    if (isId(type as IdType, target)) {
      if (find) return find(log, target);
      throw new NotInLog(`No event is about a ${type}.`);
    }
  const also = systemAccounts.join(', ');
  throw new UsageError(
    `${target} is no stream and no id that the log knows. For ${also} ask for a statement.`,
  );
}

/**
 * The payment's own, and the entries on the accounts that it names. They are few. Its receiving side has an id that
 * follows from its own and is in no event: what has no stream is looked for in the whole log.
 */
async function* paymentEvents(log: StandingLog, id: string): AsyncGenerator<ReadEvent, void, undefined> {
  const own = uuidOf(id);
  const isThere = (await log.read(streamOf('transaction', own), 0, 1)).length > 0;
  const uuid = isThere ? own : await payingSideOf(log, id);
  const events: ReadEvent[] = [];
  if (uuid === undefined) return;
  for await (const read of eventsOf(log, streamOf('transaction', uuid))) events.push(read);
  const accounts = new Set(
    events.flatMap(({ stored }) => JSON.stringify(stored.data).match(accountIds) ?? []),
  );
  for (const account of accounts)
    for await (const read of eventsOf(log, streamOf('account', account))) {
      const { data } = read.event;
      if ('transactionId' in data && uuidOf(data.transactionId) === uuid) events.push(read);
    }
  yield* events.toSorted(byPosition);
}

async function payingSideOf(log: StandingLog, id: string): Promise<string | undefined> {
  for await (const { stream, revision } of log.events()) {
    if (revision > 0 || !isStreamOf('transaction', stream)) continue;
    const uuid = uuidOfStream(stream);
    if (receivingSideId(idOf('Transaction', uuid)) === id) return uuid;
  }
  return undefined;
}

const accountIds = new RegExp(`InternalAccount:${anyUuid}`, 'g');
const byPosition = (one: ReadEvent, other: ReadEvent) => Number(one.position - other.position);

/** Of the customer, and of every stream that began as the customer's. */
async function* customerEvents(
  log: StandingLog,
  customerId: string,
): AsyncGenerator<ReadEvent, void, undefined> {
  const streams = new Set([streamOf('customer', customerId)]);
  for await (const stored of log.events()) {
    const { stream, revision, data } = stored;
    const isOwn = data.customerId === customerId || data.documentHolder === customerId;
    const isWalletOfOwn = () =>
      isStreamOf('wallet', stream) && streams.has(streamOf('account', uuidOfStream(stream)));
    if (revision === 0 && (isOwn || isWalletOfOwn())) streams.add(stream);
    if (streams.has(stream)) yield readable(stored);
  }
}

/** The action's own, and those of the payment that it is for. */
async function* actionEvents(log: StandingLog, actionId: string): AsyncGenerator<ReadEvent, void, undefined> {
  const payments = new Set<string>();
  for await (const stored of log.events()) {
    const { stream, data } = stored;
    const isOwn = JSON.stringify(data).includes(actionId);
    const payment = streamOf('transaction', String(data.transactionId));
    if (!isOwn && !payments.has(stream) && !payments.has(payment)) continue;
    const read = readable(stored);
    const { event } = read;
    if (event.type === 'AgentActionRequested' || event.type === 'AgentActionStarted') {
      const { operation } = event.data;
      const { transactionId } = operation.type === 'EXECUTE_QUOTE' ? operation : operation.transfer;
      payments.add(streamOf('transaction', transactionId));
    }
    yield read;
  }
}

async function* mentioning(log: StandingLog, id: string): AsyncGenerator<ReadEvent, void, undefined> {
  for await (const stored of log.events())
    if (JSON.stringify(stored.data).includes(id)) yield readable(stored);
}
