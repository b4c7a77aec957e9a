import { useState } from 'preact/hooks';
import { daybook, type Transaction } from '../../data/client.ts';
import { type Following, useLive } from '../../data/live.ts';
import { shortOf, wordsOf } from '../../kernel/ids.ts';
import { givenIn, goTo, pathWith } from '../../kernel/route.ts';
import { momentOf } from '../../kernel/time.ts';
import { Form, Input, Select } from '../../parts/fields.tsx';
import { type Column, List, usePaged } from '../../parts/table.tsx';
import { Amount, Id, Status, Time, Written } from '../../parts/values.tsx';

export const paymentStatuses = [
  'CREATED',
  'PENDING',
  'PROCESSING',
  'COMPLETED',
  'REJECTED',
  'FAILED',
  'REFUNDED',
  'EXPIRED',
] as const satisfies readonly Transaction['status'][];

const partyOf = ({ type, source, destination }: Transaction) => {
  const end = type === 'OUTGOING' ? destination : source;
  if ('umaAddress' in end) return end.umaAddress;
  if ('accountId' in end) return shortOf(end.accountId);
  return 'accountHolderName' in end && end.accountHolderName ? end.accountHolderName : 'Bank transfer';
};

export const paymentColumns: readonly Column<Transaction>[] = [
  { name: 'Payment', cell: ({ id }) => <Id of={id} /> },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  { name: 'Direction', cell: ({ type }) => wordsOf(type), isMinor: true },
  { name: 'Sent', cell: ({ sentAmount }) => <Amount of={sentAmount} />, isNumber: true },
  {
    name: 'Received',
    cell: ({ receivedAmount }) => <Amount of={receivedAmount} />,
    isNumber: true,
    isMinor: true,
  },
  { name: 'With', cell: (payment) => <Written text={partyOf(payment)} />, isMinor: true },
  {
    name: 'Description',
    cell: ({ description }) => description && <Written text={description} />,
    isMinor: true,
  },
  { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const followed: Readonly<Record<Following, readonly [string, string]>> = {
  connecting: ['plain', 'connecting'],
  live: ['good', 'live'],
  interrupted: ['bad', 'interrupted, trying again'],
};

const toldOf = (changed: ReadonlySet<string>) => {
  const [first = ''] = changed;
  return changed.size === 1 ? `${shortOf(first)} has changed` : `${changed.size} payments have changed`;
};

const names = [
  'status',
  'type',
  'customerId',
  'platformCustomerId',
  'accountIdentifier',
  'reference',
  'startDate',
  'endDate',
];

export function PaymentsPage({ query }: { query: URLSearchParams }) {
  const given = givenIn(query, names);
  const { startDate, endDate, ...rest } = given;
  const list = usePaged(
    JSON.stringify(given),
    (page, signal) =>
      daybook.listTransactions({
        query: {
          ...rest,
          ...(startDate && { startDate: momentOf(startDate) }),
          ...(endDate && { endDate: momentOf(endDate, true) }),
          ...page,
          limit: 25,
        },
        signal,
      }),
    // What changes while the stream of changes is interrupted is seen by the next look.
    { everyMs: 10_000 },
  );
  const [told, setTold] = useState('');
  const following = useLive((changed) => {
    setTold(toldOf(changed));
    list.loaded.reload();
  }, list.loaded.reload);
  const [tone, word] = followed[following];
  return (
    <>
      <div class="row">
        <h1>Payments</h1>
        <span class={`status ${tone}`}>{word}</span>
        <span class="unseen" role="status">
          {told}
        </span>
      </div>
      <Form
        isFilter
        label="Payments"
        submit="Filter"
        onFilled={(filled) => goTo(pathWith('/payments', filled))}
      >
        <Select label="Status" name="status" options={paymentStatuses} any="any" value={given.status ?? ''} />
        <Select
          label="Direction"
          name="type"
          options={['INCOMING', 'OUTGOING']}
          any="any"
          value={given.type ?? ''}
        />
        <Input label="Customer" name="customerId" placeholder="Customer:…" value={given.customerId ?? ''} />
        <Input label="Your customer id" name="platformCustomerId" value={given.platformCustomerId ?? ''} />
        <Input label="Account" name="accountIdentifier" value={given.accountIdentifier ?? ''} />
        <Input label="Reference" name="reference" value={given.reference ?? ''} />
        <Input label="From day" name="startDate" type="date" value={given.startDate ?? ''} />
        <Input label="To day" name="endDate" type="date" value={given.endDate ?? ''} />
      </Form>
      <div class="card">
        <List
          of={list}
          caption="Payments, newest first"
          columns={paymentColumns}
          keyOf={({ id }) => id}
          empty={
            query.size > 0
              ? 'No payment is like that. Take a filter away.'
              : 'No payments yet. They appear here as they are made; the sandbox can fund an account.'
          }
        />
      </div>
    </>
  );
}
