import type { Schemas } from '@daybook/client';
import { useMemo } from 'preact/hooks';
import { daybook } from '../../data/client.ts';
import { useAction, useLoad } from '../../data/load.ts';
import { useMay, useSession } from '../../data/session.ts';
import { shortOf } from '../../kernel/ids.ts';
import { decimalOf, type Minor, magnitudeOf, minorIn } from '../../kernel/money.ts';
import { Form, Input } from '../../parts/fields.tsx';
import { Plot } from '../../parts/plot.tsx';
import { Shown } from '../../parts/states.tsx';
import { List, usePaged } from '../../parts/table.tsx';
import { Amount, Facts, Id, Money, Time } from '../../parts/values.tsx';

type Statement = Schemas['Statement'];
type Entry = Schemas['StatementEntry'];

/** A page of the T-account. */
const entries = 100;

export function AccountPage({ id }: { id: string }) {
  const path = { accountId: id };
  const statement = useLoad(id, (signal) => daybook.getStatement({ path, query: { limit: 1 }, signal }));
  const list = usePaged(id, (page, signal) =>
    daybook.getStatement({ path, query: { ...page, limit: entries }, signal }),
  );
  const reload = () => {
    statement.reload();
    list.loaded.reload();
  };
  const side = (isDebit: boolean) => (entry: Entry) =>
    entry.amount.amount < 0 === isDebit && (
      <Money minor={magnitudeOf(entry.amount.amount)} currency={entry.amount.currency} />
    );
  return (
    <>
      <h1>{shortOf(id)}</h1>
      <Shown of={statement}>{(of) => <Balance id={id} of={of} reload={reload} />}</Shown>
      {statement.value?.data[0] && (
        <History key={statement.value.totalCount} id={id} first={statement.value.data[0]} />
      )}
      <div class="card" hidden={statement.value === undefined}>
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
    async (amount: string) =>
      daybook.fundInternalAccount({ path: { accountId: id }, body: { amount: minorIn(amount, decimals) } }),
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
          onFilled={({ amount = '' }) => void fund.run(amount)}
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

/** So many moments the plot has, from the first entry to now. */
const momentsCount = 24;

const wholeOf = (value: Minor): Minor => (typeof value === 'bigint' ? value : BigInt(Math.round(value)));

function History({ id, first }: { id: string; first: Entry }) {
  const from = Date.parse(first.recordedAt);
  const held = useLoad(`${id} ${from}`, async (signal) => {
    const now = await daybook.getBalanceAt({ path: { accountId: id }, signal });
    const step = (Date.parse(now.at) - from) / (momentsCount - 1);
    const moments = Array.from({ length: momentsCount - 1 }, (_, n) =>
      new Date(from + n * step).toISOString(),
    );
    const before = await Promise.all(
      moments.map((at) => daybook.getBalanceAt({ path: { accountId: id }, query: { at }, signal })),
    );
    return [...before, now];
  });
  const times = useMemo(() => (held.value ?? []).map(({ at }) => Date.parse(at) / 1_000), [held.value]);
  const values = useMemo<readonly Minor[]>(
    () => (held.value ?? []).map(({ balance }) => balance.amount),
    [held.value],
  );
  const { decimals } = first.amount.currency;
  return (
    <section class="card">
      <Shown of={held}>
        {() => (
          <Plot
            title="Balance over time"
            times={times}
            values={values}
            shown={(value) => decimalOf(wholeOf(value), decimals)}
            isStepped
          />
        )}
      </Shown>
    </section>
  );
}
