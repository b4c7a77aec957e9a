import type { Schemas } from '@daybook/client';
import { daybook } from '../data/client.ts';
import { useAction, useLoad } from '../data/load.ts';
import { useMay } from '../data/session.ts';
import { shortOf, wordsOf } from '../kernel/ids.ts';
import { type Minor, moneyOf } from '../kernel/money.ts';
import { Act, Form, Input } from '../parts/fields.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { List, OtherPages, usePaged } from '../parts/table.tsx';
import { Bar, End, Facts, Id, Money, Status, Time, Written } from '../parts/values.tsx';

type Action = Schemas['AgentAction'];
type Agent = Schemas['Agent'];

export function AgentsPage() {
  const waiting = usePaged(
    'waiting',
    (page, signal) => daybook.listAgentApprovals({ query: { ...page, limit: 20 }, signal }),
    { everyMs: 5_000 },
  );
  const agents = usePaged('agents', (page, signal) =>
    daybook.listAgents({ query: { ...page, limit: 20 }, signal }),
  );
  const currencies = useLoad('currencies', async (signal) => {
    const { data } = await daybook.getTrialBalance({ signal });
    return new Map(data.map(({ currency }) => [currency.code, currency.decimals]));
  });
  const decimalsOf = (code: string) => currencies.value?.get(code);
  const reload = () => {
    waiting.loaded.reload();
    agents.loaded.reload();
  };
  return (
    <>
      <h1>Agents</h1>
      <section class="card">
        <h2>Waiting for approval</h2>
        <Shown of={waiting.loaded}>
          {({ data, totalCount }) => (
            <>
              {data.length === 0 && <Empty>{nothingOf(totalCount)}</Empty>}
              {data.length > 0 && <p class="muted">{`${data.length} of ${totalCount}`}</p>}
              {data.map((action) => (
                <Waiting key={action.id} of={action} reload={reload} decimalsOf={decimalsOf} />
              ))}
              <OtherPages of={waiting} />
            </>
          )}
        </Shown>
      </section>
      <div class="card">
        <List
          of={agents}
          caption="Agents, with what they may spend and have spent"
          keyOf={({ id }) => id}
          empty="No agents yet. POST /agents makes one for a customer."
          columns={[
            { name: 'Agent', cell: (agent) => <Named of={agent} /> },
            {
              name: 'Usage',
              cell: (agent) => <Usage of={agent} decimalsOf={decimalsOf} />,
            },
          ]}
        />
      </div>
    </>
  );
}

const nothingOf = (totalCount: number) =>
  totalCount === 0
    ? 'Nothing waits. What an agent may not do by itself appears here.'
    : 'Nothing waits on this page.';

const limitsOf = ({ policy }: Agent) => policy.spendingLimits;

const Named = ({ of }: { of: Agent }) => (
  <>
    <strong>
      <Written text={of.name} />
    </strong>{' '}
    <Status of={of.isPaused ? 'PAUSED' : of.isConnected ? 'CONNECTED' : 'NOT_CONNECTED'} />
    <br />
    <Id of={of.id} />
    <br />
    <span class="muted">
      {wordsOf(of.policy.defaultExecutionMode)}: {of.policy.permissions.map(wordsOf).join(', ')}
    </span>
  </>
);

type DecimalsOf = (code: string) => number | undefined;

function Usage({ of, decimalsOf }: { of: Agent; decimalsOf: DecimalsOf }) {
  const { currency, dailyLimit, monthlyLimit, dailyTransactionLimit, perTransactionLimit } = limitsOf(of);
  const { dailySpend, monthlySpend, dailyTransactionCount } = of.usage;
  const { approvalThresholds: threshold, accountRestrictions } = of.policy;
  const { allowedAccountIds = null, accountRules = [] } = accountRestrictions ?? {};
  const money = (minor: Minor, code = currency) => {
    const decimals = decimalsOf(code);
    return decimals === undefined ? `${minor} minor units of ${code}` : moneyOf(minor, { code, decimals });
  };
  const ofBound = (used: Minor, bound: Minor | null | undefined) =>
    bound === null || bound === undefined ? `${money(used)}, no bound` : `${money(used)} of ${money(bound)}`;
  return (
    <>
      <Bar label="Today" used={dailySpend} bound={dailyLimit} shown={ofBound(dailySpend, dailyLimit)} />
      <Bar
        label="This month"
        used={monthlySpend}
        bound={monthlyLimit}
        shown={ofBound(monthlySpend, monthlyLimit)}
      />
      <Bar
        label="Payments today"
        used={dailyTransactionCount}
        bound={dailyTransactionLimit}
        shown={`${dailyTransactionCount}${dailyTransactionLimit === undefined ? ', no bound' : ` of ${dailyTransactionLimit}`}`}
      />
      <p class="muted">
        At most {money(perTransactionLimit)} a payment
        {threshold &&
          threshold.amount !== null &&
          `, and approval above ${money(threshold.amount, threshold.currency)}`}
        .{allowedAccountIds && ` Only these accounts: ${allowedAccountIds.map(shortOf).join(', ')}.`}
      </p>
      {accountRules.map(({ accountId, executionMode, perTransactionLimit: most }) => (
        <p key={accountId} class="muted">
          <Id of={accountId} />:{' '}
          {[executionMode && wordsOf(executionMode), most !== null && `at most ${money(most)}`]
            .filter(Boolean)
            .join(', ')}
        </p>
      ))}
    </>
  );
}

type WaitingProps = { of: Action; reload: () => void; decimalsOf: DecimalsOf };

function Waiting({ of, reload, decimalsOf }: WaitingProps) {
  const may = useMay('TRANSACT');
  const { quote, transferDetails } = of;
  const path = { agentId: of.agentId, actionId: of.id };
  const approve = useAction<void>(() => daybook.approveAgentAction({ path }), reload);
  const reject = useAction(
    (reason: string | undefined) =>
      daybook.rejectAgentAction({ path, body: { ...(reason !== undefined && { reason }) } }),
    reload,
  );
  return (
    <section class="card" aria-label={`${wordsOf(of.type)} ${shortOf(of.id)}`}>
      <Facts
        of={[
          ['Wants to', wordsOf(of.type)],
          ['Amount', <Wanted of={of} decimalsOf={decimalsOf} />],
          ...(quote ? [['Receives', <Receives of={quote} />] as const] : []),
          ['From', quote ? <End of={quote.source} /> : <Id of={transferDetails?.sourceAccountId} />],
          ['To', quote ? <End of={quote.destination} /> : <Id of={transferDetails?.destinationAccountId} />],
          ['Agent', <Id of={of.agentId} />],
          ['Customer', <Id of={of.customerId} />],
          ['Asked', <Time at={of.createdAt} />],
        ]}
      />
      {may && (
        <div class="row">
          <Act label="Approve" action={approve} />
          <Form submit="Reject" action={reject} onFilled={({ reason }) => void reject.run(reason)}>
            <Input label="Reason for rejecting" name="reason" />
          </Form>
        </div>
      )}
    </section>
  );
}

const Receives = ({ of: { totalReceivingAmount, receivingCurrency } }: { of: Schemas['Quote'] }) => (
  <Money minor={totalReceivingAmount} currency={receivingCurrency} />
);

function Wanted({ of: { quote, transferDetails }, decimalsOf }: Pick<WaitingProps, 'of' | 'decimalsOf'>) {
  if (quote) return <Money minor={quote.totalSendingAmount} currency={quote.sendingCurrency} />;
  if (!transferDetails) return <>—</>;
  const { amount, currency: code } = transferDetails;
  const decimals = decimalsOf(code);
  return decimals === undefined ? (
    <>
      {amount} minor units of {code}
    </>
  ) : (
    <Money minor={amount} currency={{ code, decimals }} />
  );
}
