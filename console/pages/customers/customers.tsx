import { type Customer, daybook } from '../../data/client.ts';
import { wordsOf } from '../../kernel/ids.ts';
import { givenIn, goTo, pathWith } from '../../kernel/route.ts';
import { Form, Input, Select } from '../../parts/fields.tsx';
import { type Column, List, usePaged } from '../../parts/table.tsx';
import { Id, Status, Time, Written } from '../../parts/values.tsx';

export const nameOf = (customer: Customer): string | undefined =>
  customer.customerType === 'BUSINESS' ? customer.businessInfo.legalName : customer.fullName;

/** Of a person or of a business: how far checking it has come. */
export const checkedOf = (customer: Customer) =>
  customer.customerType === 'BUSINESS' ? customer.kybStatus : customer.kycStatus;

const columns: readonly Column<Customer>[] = [
  { name: 'Customer', cell: ({ id }) => <Id of={id} /> },
  { name: 'Name', cell: (customer) => <Written text={nameOf(customer)} /> },
  { name: 'Your id', cell: ({ platformCustomerId }) => <Written text={platformCustomerId} />, isMinor: true },
  { name: 'Kind', cell: ({ customerType }) => wordsOf(customerType), isMinor: true },
  { name: 'Checked', cell: (customer) => <Status of={checkedOf(customer)} /> },
  { name: 'Region', cell: ({ region }) => region, isMinor: true },
  { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, isMinor: true },
];

const types = ['INDIVIDUAL', 'BUSINESS'] as const;
const names = ['platformCustomerId', 'umaAddress', 'customerType', 'region', 'currency', 'deleted'];

export function CustomersPage({ query }: { query: URLSearchParams }) {
  const given = givenIn(query, names);
  const { customerType, deleted, ...rest } = given;
  const list = usePaged(JSON.stringify(given), (page, signal) =>
    daybook.listCustomers({
      query: {
        ...rest,
        ...(customerType && { customerType: customerType as 'INDIVIDUAL' }),
        ...(deleted && { isIncludingDeleted: true }),
        ...page,
        limit: 25,
      },
      signal,
    }),
  );
  return (
    <>
      <h1>Customers</h1>
      <Form
        isFilter
        label="Customers"
        submit="Filter"
        onFilled={(filled) => goTo(pathWith('/customers', filled))}
      >
        <Input label="Your id" name="platformCustomerId" value={given.platformCustomerId ?? ''} />
        <Input label="Payment address" name="umaAddress" placeholder="$…@…" value={given.umaAddress ?? ''} />
        <Select label="Kind" name="customerType" options={types} any="any" value={customerType ?? ''} />
        <Input label="Region" name="region" placeholder="US" value={given.region ?? ''} />
        <Input label="Currency" name="currency" placeholder="USD" value={given.currency ?? ''} />
        <Select label="Deleted" name="deleted" options={['included']} any="left out" value={deleted ?? ''} />
      </Form>
      <div class="card">
        <List
          of={list}
          caption="Customers, newest first"
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            query.size > 0
              ? 'No customer is like that. Take a filter away.'
              : 'No customers yet. POST /customers makes one.'
          }
        />
      </div>
    </>
  );
}
