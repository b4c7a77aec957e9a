import { daybook, type LifeEvent, type Transaction } from '../../data/client.ts';
import { useLive } from '../../data/live.ts';
import { useAction, useLoad } from '../../data/load.ts';
import { useMay } from '../../data/session.ts';
import { objectOf, shortOf, wordsOf } from '../../kernel/ids.ts';
import { base, pathWith } from '../../kernel/route.ts';
import { spanOf } from '../../kernel/time.ts';
import { Act } from '../../parts/fields.tsx';
import { MoneyWay } from '../../parts/money-way.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Amount, End, Facts, Id, Json, Money, Status, Time, Written } from '../../parts/values.tsx';
import { requestColumns } from '../requests/requests.tsx';
import { webhookColumns } from '../webhooks/webhooks.tsx';

const most = { limit: 100 };
/** What changes before the stream of changes has begun is seen by the next look. */
const everyMs = 5_000;

export function PaymentPage({ id }: { id: string }) {
  const path = { transactionId: id };
  const payment = useLoad(id, (signal) => daybook.getTransaction({ path, signal }), { everyMs });
  const life = useLoad(id, (signal) => daybook.getTransactionLife({ path, signal }), { everyMs });
  const webhooks = useLoad(id, (signal) =>
    daybook.listWebhookEvents({ query: { ...most, objectId: id }, signal }),
  );
  const requests = useLoad(id, (signal) =>
    daybook.listConsoleRequests({ query: { ...most, resourceId: id }, signal }),
  );
  const reload = () => {
    for (const part of [payment, life, webhooks, requests]) part.reload();
  };
  useLive((changed) => changed.has(id) && reload(), reload);
  return (
    <>
      <div class="row">
        <h1>{shortOf(id)}</h1>
        {payment.value && <Head of={payment.value} reload={reload} />}
      </div>
      <Shown of={payment}>
        {(value) => (
          <>
            <Summary of={value} />
            <Shown of={life}>{({ data }) => <Timeline events={data} />}</Shown>
          </>
        )}
      </Shown>
      <section class="card">
        <h2>Webhooks</h2>
        <Shown of={webhooks}>
          {({ data }) => (
            <Table
              caption="Webhooks sent for this payment"
              columns={webhookColumns}
              items={data}
              keyOf={(event) => event.id}
              empty="No webhook was made for this payment. A platform without a webhookEndpoint is told nothing."
            />
          )}
        </Shown>
      </section>
      <section class="card">
        <h2>Requests</h2>
        <Shown of={requests}>
          {({ data }) => (
            <Table
              caption="Requests that name this payment"
              columns={requestColumns}
              items={data}
              keyOf={(request) => request.id}
              empty="No request of the last days names this payment."
            />
          )}
        </Shown>
      </section>
      <Raw events={life.value?.data ?? []} />
    </>
  );
}

function Head({ of, reload }: { of: Transaction; reload: () => void }) {
  const may = useMay('TRANSACT');
  const isWaiting = of.type === 'INCOMING' && of.status === 'PENDING' && 'umaAddress' in of.source;
  const path = { transactionId: of.id };
  const approve = useAction<void>(() => daybook.approveTransaction({ path, body: {} }), reload);
  const reject = useAction<void>(() => daybook.rejectTransaction({ path, body: {} }), reload);
  return (
    <>
      <span role="status">
        <Status of={of.status} />
      </span>
      {may && isWaiting && <Act label="Approve" action={approve} />}
      {may && isWaiting && <Act label="Reject" action={reject} isDanger />}
    </>
  );
}

function Summary({ of }: { of: Transaction }) {
  const { refund } = of;
  return (
    <>
      <section class="card">
        <h2>Payment</h2>
        <Facts
          of={[
            ['Id', <Id of={of.id} isWhole />],
            ['Direction', wordsOf(of.type)],
            ['Sent', <Amount of={of.sentAmount} />],
            ['Received', <Amount of={of.receivedAmount} />],
            ['From', <End of={of.source} />],
            ['To', <End of={of.destination} />],
            ['Customer', <Id of={of.customerId} />],
            ['Rate', of.exchangeRate ?? '—'],
            ['Reference', of.reconciliationInstructions.reference],
            ['Description', <Written text={of.description} />],
            ['Created', <Time at={of.createdAt} />],
            ['Settled', <Time at={of.settledAt} />],
            ...(of.failureReason ? [['Failed because', wordsOf(of.failureReason)] as const] : []),
            ...(of.pendingReason ? [['Pending because', wordsOf(of.pendingReason)] as const] : []),
          ]}
        />
      </section>
      <section class="card">
        <h2>Refund</h2>
        {refund ? (
          <Facts
            of={[
              ['Status', <Status of={refund.status} />],
              ['Reason', wordsOf(refund.reason)],
              ['Reference', refund.reference],
              ['Begun', <Time at={refund.initiatedAt} />],
              ['Settled', <Time at={refund.settledAt} />],
            ]}
          />
        ) : (
          <Empty>Nothing of this payment was refunded.</Empty>
        )}
      </section>
    </>
  );
}

const posted = ({ postings }: LifeEvent) =>
  postings.map(({ account, amount: { amount: minor, currency } }) => ({ account, minor, currency }));

function Timeline({ events }: { events: readonly LifeEvent[] }) {
  const typeOf = new Map(events.map(({ eventId, type }) => [eventId, type]));
  return (
    <div class="grid">
      <section class="card">
        <h2>Timeline</h2>
        <ol class="timeline">
          {events.map((event, n) => (
            <li key={event.eventId}>
              <p>
                <strong>{event.type}</strong> <Since event={event} before={events[n - 1]} />
              </p>
              <p>{event.description}</p>
              <p class="muted">
                <Time at={event.happenedAt} /> by {event.actor}
                {event.requestId && (
                  <>
                    , <Id of={event.requestId} />
                  </>
                )}
                {event.causedBy && `, because of ${typeOf.get(event.causedBy)}`}
              </p>
              {posted(event).map(({ account, minor, currency }, place) => (
                <p key={`${place} ${account}`}>
                  <Money minor={minor} currency={currency} /> <Id of={account} />
                </p>
              ))}
            </li>
          ))}
        </ol>
      </section>
      <section class="card">
        <h2>The money's way</h2>
        <MoneyWay movements={events.map(posted)} />
      </section>
    </div>
  );
}

function Since({ event, before }: { event: LifeEvent; before: LifeEvent | undefined }) {
  if (!before) return null;
  return (
    <span class="muted">after {spanOf(Date.parse(event.happenedAt) - Date.parse(before.happenedAt))}</span>
  );
}

function Raw({ events }: { events: readonly LifeEvent[] }) {
  return (
    <section class="card">
      <h2>Events of the log</h2>
      {events.map((event) => (
        <details key={event.eventId}>
          <summary>
            {event.position} {event.type}
          </summary>
          <Json of={event} label={`Event ${event.position}`} />
          <a
            href={base + pathWith('/audit', { of: objectOf(event.stream), revision: String(event.revision) })}
          >
            Verify in the log
          </a>
        </details>
      ))}
    </section>
  );
}
