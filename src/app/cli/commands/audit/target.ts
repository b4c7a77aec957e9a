/** What an auditor asks about: which events of the log belong to it. */

import { aggregates } from '../../../../domain/aggregates.ts';
import { systemAccounts } from '../../../../domain/books/postings.ts';
import { isStreamOf, type Kind, streamOf, uuidOfStream } from '../../../../domain/streams.ts';
import { anyUuid, isId, uuidOf } from '../../../../kernel/ids.ts';
import { NotInLog } from './outcome.ts';
import { eventsOf, type ReadEvent, readable } from './reading.ts';
import type { StandingLog } from './standing.ts';

/** The streams of ids that are told by their streams alone. */
const kinds: Readonly<Record<string, Kind>> = {
  Platform: 'platform',
  InternalAccount: 'account',
  ExternalAccount: 'externalAccount',
  Lookup: 'lookup',
  BeneficialOwner: 'beneficialOwner',
  Document: 'document',
  Verification: 'verification',
  Agent: 'agent',
  Token: 'token',
};

/** With the generation of a stream that goes on elsewhere: the log has it under both names. */
const streamName = new RegExp(
  `^(${Object.values(aggregates)
    .map(({ category }) => category)
    .join('|')})-${anyUuid}(\\.[1-9][0-9]*)?$`,
);

/**
 * The events of a stream, an account, a payment with its entries, a customer with all that is the customer's, an agent's
 * action with its payment, a signed request of a wallet, or of another id; in the order of the log. Those of a customer,
 * an action and a request are looked for in the whole log. Throws `NotInLog` where there are none.
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

function found(log: StandingLog, target: string): AsyncIterable<ReadEvent> {
  if (streamName.test(target)) return eventsOf(log, target);
  const type = target.slice(0, target.indexOf(':'));
  const uuid = uuidOf(target);
  if (isId('Transaction', target) || isId('Quote', target)) return paymentEvents(log, uuid);
  if (isId('Customer', target)) return customerEvents(log, target);
  if (isId('AgentAction', target)) return actionEvents(log, target);
  if (isId('Request', target)) return mentioning(log, target);
  const kind = kinds[type];
  const stream = kind && streamOf(kind, uuid);
  if (stream !== undefined && streamName.test(stream)) return eventsOf(log, stream);
  const also = systemAccounts.join(', ');
  throw new NotInLog(`${target} is no stream and no id that the log knows. For ${also} ask for a statement.`);
}

/** The payment's own, and the entries on the accounts that it names. They are few. */
async function* paymentEvents(log: StandingLog, uuid: string): AsyncGenerator<ReadEvent, void, undefined> {
  const events: ReadEvent[] = [];
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
