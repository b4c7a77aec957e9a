import { daybook } from '../../data/client.ts';
import { useLoad } from '../../data/load.ts';
import { wordsOf } from '../../kernel/ids.ts';
import { base } from '../../kernel/route.ts';
import { spanOf } from '../../kernel/time.ts';
import { Shown } from '../../parts/states.tsx';
import { List, Table, usePaged } from '../../parts/table.tsx';
import { Time } from '../../parts/values.tsx';
import { Clock } from './clock.tsx';
import { Faults } from './faults.tsx';

export function SandboxPage() {
  return (
    <>
      <h1>Sandbox</h1>
      <div class="grid">
        <Clock />
        <section class="card">
          <h2>Fund</h2>
          <p>
            Money is put into an account on its page: choose one of the{' '}
            <a href={`${base}/accounts`}>accounts</a>.
          </p>
        </section>
      </div>
      <Faults />
      <Mails />
      <Outcomes />
    </>
  );
}

function Mails() {
  const list = usePaged(
    'mails',
    (cursor, signal) =>
      daybook.sandboxListEmails({ query: { ...(cursor && { cursor }), limit: 10 }, signal }),
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
