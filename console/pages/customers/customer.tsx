import type { Schemas } from '@daybook/client';
import { type Customer, daybook } from '../../data/client.ts';
import { useLoad } from '../../data/load.ts';
import { shortOf, wordsOf } from '../../kernel/ids.ts';
import { base, pathWith } from '../../kernel/route.ts';
import { Shown } from '../../parts/states.tsx';
import { type Column, List, Table, usePaged } from '../../parts/table.tsx';
import { Facts, Id, Status, Time, Written } from '../../parts/values.tsx';
import { accountColumns } from '../accounts/accounts.tsx';
import { paymentColumns } from '../payments/payments.tsx';
import { checkedOf, nameOf } from './customers.tsx';

type ExternalAccount = Schemas['ExternalAccount'];

const externalColumns: readonly Column<ExternalAccount>[] = [
  { name: 'Account', cell: ({ id }) => <Id of={id} /> },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  { name: 'Kind', cell: ({ accountInfo }) => wordsOf(accountInfo.accountType), isMinor: true },
  { name: 'Currency', cell: ({ currency }) => currency },
  { name: 'Your id', cell: ({ platformAccountId }) => <Written text={platformAccountId} />, isMinor: true },
  {
    name: 'Beneficiary',
    cell: ({ beneficiaryVerificationStatus: status }) => (status ? wordsOf(status) : '—'),
    isMinor: true,
  },
  { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, isMinor: true },
];

export function CustomerPage({ id }: { id: string }) {
  const customer = useLoad(id, (signal) => daybook.getCustomer({ path: { customerId: id }, signal }));
  return (
    <>
      <h1>{shortOf(id)}</h1>
      <Shown of={customer}>
        {(of) => (
          <>
            <About of={of} />
            <Accounts id={id} />
            <Payments id={id} />
          </>
        )}
      </Shown>
    </>
  );
}

function About({ of }: { of: Customer }) {
  return (
    <section class="card">
      <h2>Customer</h2>
      <Facts
        of={[
          ['Id', <Id of={of.id} isWhole />],
          ['Name', <Written text={nameOf(of)} />],
          ['Your id', <Written text={of.platformCustomerId} />],
          ['Kind', wordsOf(of.customerType)],
          ['Checked', <Status of={checkedOf(of)} />],
          ['Payment address', <Written text={of.umaAddress} />],
          ['Region', of.region],
          ['Currencies', of.currencies.join(', ')],
          ['E-mail', <Written text={of.email} />],
          ['Phone', <Written text={of.phoneNumber} />],
          ['Created', <Time at={of.createdAt} />],
          [of.isDeleted ? 'Deleted' : 'Changed', <Time at={of.updatedAt} />],
        ]}
      />
    </section>
  );
}

function Accounts({ id: customerId }: { id: string }) {
  const own = usePaged(`own ${customerId}`, (page, signal) =>
    daybook.listCustomerInternalAccounts({
      query: { customerId, ...page, limit: 25 },
      signal,
    }),
  );
  const outside = usePaged(`outside ${customerId}`, (page, signal) =>
    daybook.listCustomerExternalAccounts({
      query: { customerId, ...page, limit: 25 },
      signal,
    }),
  );
  return (
    <>
      <section class="card">
        <h2>Accounts</h2>
        <List
          of={own}
          caption="What the customer holds"
          columns={accountColumns.filter(({ name }) => name !== 'Customer')}
          keyOf={({ id }) => id}
          empty="The customer has no account."
        />
      </section>
      <section class="card">
        <h2>Outside</h2>
        <List
          of={outside}
          caption="Bank accounts and wallets of the customer"
          columns={externalColumns}
          keyOf={({ id }) => id}
          empty="No account outside was registered for the customer."
        />
      </section>
    </>
  );
}

const newest = 10;

function Payments({ id: customerId }: { id: string }) {
  const payments = useLoad(
    customerId,
    (signal) => daybook.listTransactions({ query: { customerId, limit: newest }, signal }),
    { everyMs: 10_000 },
  );
  return (
    <section class="card">
      <h2>Payments</h2>
      <Shown of={payments}>
        {({ data, totalCount }) => (
          <>
            <Table
              caption="Payments of the customer, newest first"
              columns={paymentColumns}
              items={data}
              keyOf={({ id }) => id}
              empty="No payments yet."
            />
            {totalCount > data.length && (
              <p>
                <a href={base + pathWith('/payments', { customerId })}>All {totalCount} payments</a>
              </p>
            )}
          </>
        )}
      </Shown>
    </section>
  );
}
