import { type Account, daybook } from '../../data/client.ts';
import { useLoad } from '../../data/load.ts';
import { wordsOf } from '../../kernel/ids.ts';
import { givenIn, goTo, pathWith } from '../../kernel/route.ts';
import { Form, Input } from '../../parts/fields.tsx';
import { Shown } from '../../parts/states.tsx';
import { type Column, List, Table, usePaged } from '../../parts/table.tsx';
import { Amount, Id, Status } from '../../parts/values.tsx';

export const accountColumns: readonly Column<Account>[] = [
  { name: 'Account', cell: ({ id }) => <Id of={id} /> },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  { name: 'Kind', cell: ({ type }) => wordsOf(type), isMinor: true },
  { name: 'Customer', cell: ({ customerId }) => <Id of={customerId} />, isMinor: true },
  { name: 'Available', cell: ({ balance }) => <Amount of={balance} />, isNumber: true },
  { name: 'Total', cell: ({ totalBalance }) => <Amount of={totalBalance} />, isNumber: true, isMinor: true },
];

export function AccountsPage({ query }: { query: URLSearchParams }) {
  const given = givenIn(query, ['customerId', 'currency']);
  const own = useLoad('own', (signal) => daybook.listPlatformInternalAccounts({ signal }));
  const list = usePaged(JSON.stringify(given), (page, signal) =>
    daybook.listCustomerInternalAccounts({
      query: { ...given, ...page, limit: 25 },
      signal,
    }),
  );
  const keyOf = ({ id }: Account) => id;
  return (
    <>
      <h1>Accounts</h1>
      <div class="card">
        <Shown of={own}>
          {({ data }) => (
            <Table
              caption="Accounts of the platform"
              columns={accountColumns}
              items={data}
              keyOf={keyOf}
              empty="The platform has no account of its own."
            />
          )}
        </Shown>
      </div>
      <Form
        isFilter
        label="Accounts of customers"
        submit="Filter"
        onFilled={(filled) => goTo(pathWith('/accounts', filled))}
      >
        <Input label="Customer" name="customerId" placeholder="Customer:…" value={given.customerId ?? ''} />
        <Input label="Currency" name="currency" placeholder="USD" value={given.currency ?? ''} />
      </Form>
      <div class="card">
        <List
          of={list}
          caption="Accounts of customers"
          columns={accountColumns}
          keyOf={keyOf}
          empty="No account is like that. An account is made with its customer."
        />
      </div>
    </>
  );
}
