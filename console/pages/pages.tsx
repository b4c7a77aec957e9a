/** Which page an address is. */
import type { ComponentChildren } from 'preact';
import { usePlace } from '../kernel/route.ts';
import { Empty } from '../parts/states.tsx';
import { AccountPage } from './accounts/account.tsx';
import { AccountsPage } from './accounts/accounts.tsx';
import { BooksPage } from './accounts/books.tsx';
import { AgentsPage } from './agents.tsx';
import { AuditPage } from './audit.tsx';
import { CustomerPage } from './customers/customer.tsx';
import { CustomersPage } from './customers/customers.tsx';
import { FindPage } from './find.tsx';
import { HealthPage } from './health.tsx';
import { PaymentPage } from './payments/payment.tsx';
import { PaymentsPage } from './payments/payments.tsx';
import { RequestPage } from './requests/request.tsx';
import { RequestsPage } from './requests/requests.tsx';
import { SandboxPage } from './sandbox/sandbox.tsx';
import { Shell } from './shell.tsx';
import { WebhookPage } from './webhooks/webhook.tsx';
import { WebhooksPage } from './webhooks/webhooks.tsx';

type Given = { readonly id: string; readonly query: URLSearchParams };

const lists: Readonly<Record<string, (given: Given) => ComponentChildren>> = {
  '': ({ query }) => <PaymentsPage query={query} />,
  payments: ({ query }) => <PaymentsPage query={query} />,
  customers: ({ query }) => <CustomersPage query={query} />,
  accounts: ({ query }) => <AccountsPage query={query} />,
  books: ({ query }) => <BooksPage query={query} />,
  requests: ({ query }) => <RequestsPage query={query} />,
  webhooks: ({ query }) => <WebhooksPage query={query} />,
  agents: () => <AgentsPage />,
  sandbox: () => <SandboxPage />,
  audit: ({ query }) => <AuditPage query={query} />,
  health: () => <HealthPage />,
  find: ({ query }) => <FindPage id={query.get('id') ?? ''} />,
};

const things: Readonly<Record<string, (given: Given) => ComponentChildren>> = {
  payments: ({ id }) => <PaymentPage key={id} id={id} />,
  customers: ({ id }) => <CustomerPage key={id} id={id} />,
  accounts: ({ id }) => <AccountPage key={id} id={id} />,
  requests: ({ id }) => <RequestPage key={id} id={id} />,
  webhooks: ({ id }) => <WebhookPage key={id} id={id} />,
};

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export function Pages() {
  const { path, query } = usePlace();
  const [, name = '', id = ''] = path.split('/');
  const page = (id ? things : lists)[name];
  const thing = id ? decoded(id) : name === 'find' ? (query.get('id') ?? undefined) : undefined;
  return (
    <Shell at={name || 'payments'} thing={thing}>
      {page ? (
        page({ id: decoded(id), query })
      ) : (
        <>
          <h1>No such page</h1>
          <Empty>
            The console has no page at <code>{path}</code>. Choose one from the list, or search for an id.
          </Empty>
        </>
      )}
    </Shell>
  );
}
