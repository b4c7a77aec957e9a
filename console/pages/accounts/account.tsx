import type { Schemas } from '@daybook/client';
import { useMemo } from 'preact/hooks';
import { daybook } from '../../data/client.ts';
import { useAction, useLoad } from '../../data/load.ts';
import { useMay, useSession } from '../../data/session.ts';
import { shortOf } from '../../kernel/ids.ts';
import { decimalOf, minorOf } from '../../kernel/money.ts';
import { Form, Input } from '../../parts/fields.tsx';
import { Plot } from '../../parts/plot.tsx';
import { Shown } from '../../parts/states.tsx';
import { List, usePaged } from '../../parts/table.tsx';
import { Amount, Facts, Id, Money, Time } from '../../parts/values.tsx';

type Statement = Schemas['Statement'];
type Entry = Schemas['StatementEntry'];

/** So many entries the plot shows: those of the T-account's page. */
const entries = 100;

export function AccountPage({ id }: { id: string }) {
  const path = { accountId: id };
  const statement = useLoad(id, (signal) => daybook.getStatement({ path, query: { limit: 1 }, signal }));
  const list = usePaged(id, (cursor, signal) =>
    daybook.getStatement({ path, query: { ...(cursor && { cursor }), limit: entries }, signal }),
  );
  const reload = () => {
    statement.reload();
    list.loaded.reload();
  };
  const side = (isDebit: boolean) => (entry: Entry) =>
    entry.amount.amount < 0 === isDebit && (
      <Money minor={Math.abs(entry.amount.amount)} currency={entry.amount.currency} />
    );
  return (
    <>
      <h1>{shortOf(id)}</h1>
      <Shown of={statement}>{(of) => <Balance id={id} of={of} reload={reload} />}</Shown>
      {list.loaded.value && <History entries={list.loaded.value.data} />}
      <div class="card">
        <List
          of={list}
          caption="T-account, in the order of the log"
          keyOf={({ eventId }) => eventId}
          empty="Nothing was posted to this account yet."
          columns={[
            { name: 'Happened', cell: ({ happenedAt }) => <Time at={happenedAt} /> },
            { name: 'Payment', cell: ({ transactionId }) => <Id of={transactionId} />, isMinor: true },
            { name: 'Out', cell: side(true), isNumber: true },
            { name: 'In', cell: side(false), isNumber: true },
            { name: 'Balance', cell: ({ balance }) => <Amount of={balance} />, isNumber: true },
          ]}
        />
      </div>
    </>
  );
}

function Balance({ id, of, reload }: { id: string; of: Statement; reload: () => void }) {
  const may = useMay('TRANSACT');
  const isSandbox = useSession().environment === 'SANDBOX';
  const { decimals, code } = of.closing.currency;
  const fund = useAction(
    (amount: number) => daybook.fundInternalAccount({ path: { accountId: id }, body: { amount } }),
    reload,
  );
  return (
    <section class="card">
      <h2>Balance</h2>
      <Facts
        of={[
          ['Id', <Id of={id} isWhole />],
          ['Holds', <Amount of={of.closing} />],
          ['Entries', of.totalCount],
          ['As of event', of.asOf],
        ]}
      />
      {may && isSandbox && (
        <Form
          submit="Fund"
          action={fund}
          label="Fund the account"
          onFilled={({ amount = '' }) => {
            const minor = minorOf(amount, decimals);
            if (minor !== undefined) void fund.run(minor);
          }}
        >
          <Input
            label={`Amount in ${code}`}
            name="amount"
            placeholder={decimalOf(100_000, decimals)}
            isRequired
          />
        </Form>
      )}
    </section>
  );
}

function History({ entries }: { entries: readonly Entry[] }) {
  const decimals = entries[0]?.amount.currency.decimals ?? 2;
  const sorted = useMemo(
    () => entries.toSorted((a, b) => Date.parse(a.happenedAt) - Date.parse(b.happenedAt)),
    [entries],
  );
  const times = useMemo(() => sorted.map(({ happenedAt }) => Date.parse(happenedAt) / 1_000), [sorted]);
  const values = useMemo(() => sorted.map(({ balance }) => balance.amount), [sorted]);
  if (entries.length === 0) return null;
  return (
    <section class="card">
      <Plot
        title="Balance over the entries below"
        times={times}
        values={values}
        shown={(value) => decimalOf(Math.round(value), decimals)}
        isStepped
      />
    </section>
  );
}
