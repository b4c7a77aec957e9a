import type { Schemas } from '@daybook/client';
import { useState } from 'preact/hooks';
import { daybook } from '../../data/client.ts';
import { useAction, useLoad } from '../../data/load.ts';
import { useMay } from '../../data/session.ts';
import { wordsOf } from '../../kernel/ids.ts';
import { minorIn } from '../../kernel/money.ts';
import { spanOf } from '../../kernel/time.ts';
import { type Filled, Form, Input } from '../../parts/fields.tsx';
import { Shown } from '../../parts/states.tsx';
import { List, Table, usePaged } from '../../parts/table.tsx';
import { Amount, Time } from '../../parts/values.tsx';
import { Clock } from './clock.tsx';
import { Faults } from './faults.tsx';

export function SandboxPage() {
  return (
    <>
      <h1>Sandbox</h1>
      <div class="grid">
        <Clock />
        <Fund />
      </div>
      <Faults />
      <Mails />
      <Outcomes />
    </>
  );
}

function Fund() {
  const may = useMay('TRANSACT');
  const [balance, setBalance] = useState<Schemas['CurrencyAmount']>();
  const fund = useAction(
    async ({ accountId = '', amount = '' }: Filled) => {
      const path = { accountId };
      const { decimals } = (await daybook.getBalanceAt({ path })).balance.currency;
      return daybook.fundInternalAccount({ path, body: { amount: minorIn(amount, decimals) } });
    },
    (account) => setBalance(account.balance),
  );
  return (
    <section class="card">
      <h2>Fund</h2>
      {may ? (
        <Form
          submit="Fund"
          action={fund}
          label="Fund an account"
          onFilled={(filled) => void fund.run(filled)}
        >
          <Input label="Account" name="accountId" placeholder="InternalAccount:…" isRequired />
          <Input label="Amount" name="amount" placeholder="1,000.00" isRequired />
        </Form>
      ) : (
        <p>Your token may not move money.</p>
      )}
      <p role="status">
        {balance && (
          <>
            It holds <Amount of={balance} /> now.
          </>
        )}
      </p>
    </section>
  );
}

function Mails() {
  const list = usePaged(
    'mails',
    (page, signal) => daybook.sandboxListEmails({ query: { ...page, limit: 10 }, signal }),
    { everyMs: 5_000 },
  );
  return (
    <section class="card">
      <h2>Mails and one-time codes</h2>
      <List
        of={list}
        caption="Mails that wallets had sent; the code 000000 is taken whatever a mail says"
        keyOf={({ id }) => id}
        empty="No mail was sent yet. A wallet's one-time codes appear here."
        columns={[
          { name: 'To', cell: ({ to }) => to },
          { name: 'Subject', cell: ({ subject }) => subject },
          { name: 'Text', cell: ({ text }) => <pre class="json">{text}</pre> },
          { name: 'Sent', cell: ({ createdAt }) => <Time at={createdAt} />, isMinor: true },
        ]}
      />
    </section>
  );
}

function Outcomes() {
  const outcomes = useLoad('outcomes', (signal) => daybook.sandboxListOutcomes({ signal }));
  return (
    <section class="card">
      <h2>Outcomes</h2>
      <Shown of={outcomes}>
        {({ data, inboxUrl }) => (
          <>
            <p>
              The inbox takes every webhook: <code>{inboxUrl}</code>
            </p>
            <Table
              caption="What decides how something ends"
              items={data}
              keyOf={({ chosenBy, applies, value }) => `${chosenBy} ${applies} ${value}`}
              empty="The table is empty."
              columns={[
                { name: 'By', cell: ({ chosenBy }) => wordsOf(chosenBy), isMinor: true },
                { name: 'Value', cell: ({ value }) => <code>{value}</code> },
                { name: 'For', cell: ({ applies }) => wordsOf(applies) },
                { name: 'Means', cell: ({ meaning }) => meaning },
                {
                  name: 'Steps',
                  cell: ({ steps }) =>
                    steps.map(({ afterMs, status }) => `${spanOf(afterMs)}: ${wordsOf(status)}`).join(', '),
                  isMinor: true,
                },
              ]}
            />
          </>
        )}
      </Shown>
    </section>
  );
}
