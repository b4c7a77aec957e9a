import type { Schemas } from '@daybook/client';
import { useState } from 'preact/hooks';
import { daybook } from '../../data/client.ts';
import { useAction, useLoad } from '../../data/load.ts';
import { useMay } from '../../data/session.ts';
import { givenIn, goTo, pathWith } from '../../kernel/route.ts';
import { inputOf, isoOf } from '../../kernel/time.ts';
import { Act, Form, Input, Select } from '../../parts/fields.tsx';
import { Shown } from '../../parts/states.tsx';
import { type Column, List, Table, usePaged } from '../../parts/table.tsx';
import { Id, Status, Time } from '../../parts/values.tsx';

type Event = Schemas['WebhookEvent'];

export const webhookColumns: readonly Column<Event>[] = [
  { name: 'Event', cell: ({ id }) => <Id of={id} /> },
  { name: 'Type', cell: ({ type }) => type },
  { name: 'State', cell: ({ state }) => <Status of={state} /> },
  { name: 'Attempts', cell: ({ attempts }) => attempts, isNumber: true, isMinor: true },
  { name: 'About', cell: ({ objectId }) => <Id of={objectId} />, isMinor: true },
  { name: 'Next attempt', cell: ({ nextAttemptAt }) => <Time at={nextAttemptAt} />, isMinor: true },
  { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const states = ['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'] as const;

export function WebhooksPage({ query }: { query: URLSearchParams }) {
  const may = useMay('MANAGE');
  const given = givenIn(query, ['state', 'objectId']);
  const { state, ...rest } = given;
  const list = usePaged(
    JSON.stringify(given),
    (page, signal) =>
      daybook.listWebhookEvents({
        query: {
          ...rest,
          ...(state && { state: state as 'PENDING' }),
          ...page,
          limit: 25,
        },
        signal,
      }),
    { everyMs: 5_000 },
  );
  return (
    <>
      <h1>Webhooks</h1>
      <Form
        isFilter
        label="Webhooks"
        submit="Filter"
        onFilled={(filled) => goTo(pathWith('/webhooks', filled))}
      >
        <Select label="State" name="state" options={states} any="any" value={state ?? ''} />
        <Input label="About the id" name="objectId" value={given.objectId ?? ''} />
      </Form>
      <div class="card">
        <List
          of={list}
          caption="Webhook events, newest first"
          columns={webhookColumns}
          keyOf={({ id }) => id}
          empty="No webhook events. Set a webhookEndpoint in the configuration: without one, nothing is told."
        />
      </div>
      <div class="grid">
        {may && <Again reload={list.loaded.reload} />}
        {may && <Test />}
      </div>
      <Keys />
    </>
  );
}

const hourMs = 3_600_000;

function Again({ reload }: { reload: () => void }) {
  const [count, setCount] = useState<number>();
  const [since] = useState(hourAgo);
  const again = useAction(
    (from: string) => daybook.redeliverWebhookEvents({ body: { since: from } }),
    (answer) => {
      setCount(answer.count);
      reload();
    },
  );
  return (
    <section class="card">
      <h2>Send again</h2>
      <Form
        submit="Send all since then again"
        action={again}
        onFilled={({ since: filled = '' }) => {
          const from = isoOf(filled);
          if (from) void again.run(from);
        }}
      >
        <Input label="Since" name="since" type="datetime-local" step="1" value={since} isRequired />
      </Form>
      <p role="status">{count !== undefined && `${count} will be sent again.`}</p>
    </section>
  );
}

const hourAgo = () => inputOf(new Date(performance.timeOrigin + performance.now() - hourMs));

function Test() {
  const [answer, setAnswer] = useState<number>();
  const config = useLoad('config', (signal) => daybook.getPlatformConfig({ signal }));
  const test = useAction(
    () => daybook.sendTestWebhook(),
    ({ response_status }) => setAnswer(response_status),
  );
  return (
    <section class="card">
      <h2>Endpoint</h2>
      <Shown of={config}>
        {({ webhookEndpoint, webhookEndpointDisabledAt }) => (
          <>
            <p>
              {webhookEndpoint ? <code>{webhookEndpoint}</code> : 'None is set: nothing is sent.'}
              {webhookEndpointDisabledAt && (
                <>
                  {' '}
                  switched off since <Time at={webhookEndpointDisabledAt} />
                </>
              )}
            </p>
            {webhookEndpoint && <Act label="Send a test" action={test} />}
            <p role="status">{answer !== undefined && `The endpoint answered ${answer}.`}</p>
          </>
        )}
      </Shown>
    </section>
  );
}

function Keys() {
  const may = useMay('MANAGE');
  const keys = useLoad('keys', (signal) => daybook.getWebhookKeys({ signal }));
  const rotate = useAction<void>(() => daybook.rotateWebhookKeys(), keys.reload);
  return (
    <section class="card">
      <h2>Keys</h2>
      <Shown of={keys}>
        {({ data }) => (
          <Table
            caption="Keys that sign webhooks"
            items={data}
            keyOf={({ id }) => id}
            empty="There is no key."
            columns={[
              { name: 'Key', cell: ({ id }) => <Id of={id} /> },
              { name: 'Signs', cell: ({ signs }) => signs.join(', ') },
              { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
              { name: 'Retires', cell: ({ retiresAt }) => <Time at={retiresAt} />, isMinor: true },
              {
                name: 'Public key',
                cell: ({ publicKey }) => (
                  <details>
                    <summary>Show</summary>
                    <code>{publicKey}</code>
                  </details>
                ),
                isMinor: true,
              },
            ]}
          />
        )}
      </Shown>
      {may && <Act label="Rotate the keys" action={rotate} isDanger />}
    </section>
  );
}
