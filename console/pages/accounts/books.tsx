import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { daybook, type Transaction } from '../../data/client.ts';
import { useLoad } from '../../data/load.ts';
import { decimalOf } from '../../kernel/money.ts';
import { goTo, pathWith } from '../../kernel/route.ts';
import { inputOf, isoOf, spanOf } from '../../kernel/time.ts';
import { Form, Input } from '../../parts/fields.tsx';
import { Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Amount, Id, Status, Time } from '../../parts/values.tsx';

export function BooksPage({ query }: { query: URLSearchParams }) {
  const at = isoOf(query.get('at') ?? '');
  const range = useLoad('range', async (signal) => {
    const [{ createdAt }, { now }] = await Promise.all([
      daybook.getPlatformConfig({ signal }),
      nowOf(signal),
    ]);
    return { from: Date.parse(createdAt), to: Date.parse(now) };
  });
  return (
    <>
      <h1>Books</h1>
      <section class="card">
        <h2>Trial balance</h2>
        <Shown of={range}>{(of) => <Balance {...of} at={at} />}</Shown>
      </section>
      <section class="card">
        <h2>In flight</h2>
        <Shown of={range}>{({ to }) => <InFlight now={to} />}</Shown>
      </section>
    </>
  );
}

/** The time of the platform: in the sandbox its clock, which may have been moved; else the latest of the books. */
async function nowOf(signal: AbortSignal): Promise<{ now: string }> {
  const session = await daybook.getConsoleSession({ signal });
  if (session.environment === 'SANDBOX') return daybook.sandboxGetClock({ signal });
  return { now: new Date(performance.timeOrigin + performance.now()).toISOString() };
}

const steps = 1_000;
const restMs = 200;

type BalanceProps = { readonly from: number; readonly to: number; readonly at: string | undefined };

/** `at` is the moment that the address has; without it, it is now. */
function Balance({ from, to, at }: BalanceProps) {
  const id = useId();
  const momentOf = (n: number) =>
    n === steps ? undefined : new Date(from + ((to - from) * n) / steps).toISOString();
  const stepOf = (moment: string | undefined) =>
    moment === undefined ? steps : Math.round((steps * (Date.parse(moment) - from)) / Math.max(1, to - from));
  const [step, setStep] = useState(stepOf(at));
  const resting = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => setStep(stepOf(at)), [at]);
  const show = (moment: string | undefined) => goTo(pathWith('/books', { at: moment }), { replace: true });
  const slide = (n: number) => {
    setStep(n);
    if (resting.current !== null) clearTimeout(resting.current);
    resting.current = setTimeout(() => show(momentOf(n)), restMs);
  };
  const shown = step === stepOf(at) ? at : momentOf(step);
  const balance = useLoad(at ?? 'now', (signal) =>
    daybook.getTrialBalanceAt({ query: at === undefined ? {} : { at, clock: 'happened' }, signal }),
  );
  return (
    <>
      <label for={id}>
        At <Time at={shown ?? new Date(to).toISOString()} /> {shown === undefined && '(now)'}
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={steps}
        value={step}
        aria-valuetext={shown ?? 'now'}
        onInput={({ currentTarget }) => slide(Number(currentTarget.value))}
      />
      <Form submit="Show" label="Another moment" onFilled={({ moment = '' }) => show(isoOf(moment))}>
        <Input
          label="Exactly at"
          name="moment"
          type="datetime-local"
          step="1"
          value={at === undefined ? '' : inputOf(new Date(at))}
        />
      </Form>
      <Shown of={balance}>
        {({ data, asOf }) => (
          <>
            <Table
              caption="What each kind of account held; each total is zero"
              items={data}
              keyOf={({ currency }) => currency.code}
              empty="Nothing was posted by then."
              columns={[
                { name: 'Currency', cell: ({ currency }) => currency.code },
                ...(['internal', 'rail', 'inFlight', 'fees', 'fx', 'total'] as const).map((name) => ({
                  name: {
                    internal: 'Accounts',
                    rail: 'Rail',
                    inFlight: 'In flight',
                    fees: 'Fees',
                    fx: 'FX',
                    total: 'Total',
                  }[name],
                  isNumber: true,
                  cell: (row: (typeof data)[number]) => (
                    <span class="money">{decimalOf(row[name], row.currency.decimals)}</span>
                  ),
                })),
              ]}
            />
            <p class="muted">As of event {asOf}.</p>
          </>
        )}
      </Shown>
    </>
  );
}

const looked = ['PENDING', 'PROCESSING', 'FAILED', 'REJECTED', 'EXPIRED'] as const;

/** Money of it has left, or is about to: a quote that nobody has executed holds none, and a refund that is under way does. */
const isInFlight = (payment: Transaction): boolean =>
  payment.status === 'PROCESSING' ||
  payment.refund?.status === 'PENDING' ||
  (payment.status === 'PENDING' && payment.quoteId === undefined);

function InFlight({ now }: { now: number }) {
  const flights = useLoad('flights', async (signal) => {
    const pages = await Promise.all(
      looked.map((status) =>
        daybook
          .listTransactions({ query: { status, sortOrder: 'desc', limit: 50 }, signal })
          .then((page) => page),
      ),
    );
    const data = pages.flatMap((page) => page.data.filter(isInFlight));
    return data.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  });
  return (
    <Shown of={flights}>
      {(data) => (
        <Table
          caption="Of the newest 50 of each status those with money on the way, the longest first"
          items={data}
          keyOf={({ id }) => id}
          empty="Nothing is in flight."
          columns={[
            { name: 'Payment', cell: ({ id }) => <Id of={id} /> },
            { name: 'Status', cell: ({ status }) => <Status of={status} /> },
            {
              name: 'Amount',
              cell: ({ sentAmount, receivedAmount }) => <Amount of={sentAmount ?? receivedAmount} />,
              isNumber: true,
            },
            { name: 'For', cell: ({ createdAt }) => spanOf(now - Date.parse(createdAt)), isNumber: true },
          ]}
        />
      )}
    </Shown>
  );
}
