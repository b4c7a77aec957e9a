import { daybook } from '../../data/client.ts';
import { useAction, useLoad } from '../../data/load.ts';
import { useMay } from '../../data/session.ts';
import { shortOf } from '../../kernel/ids.ts';
import { Act } from '../../parts/fields.tsx';
import { Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Facts, HttpStatus, Id, Json, Status, Time } from '../../parts/values.tsx';

export function WebhookPage({ id }: { id: string }) {
  const may = useMay('MANAGE');
  const path = { webhookEventId: id };
  const event = useLoad(id, (signal) => daybook.getWebhookEvent({ path, signal }), { everyMs: 5_000 });
  const again = useAction<void>(() => daybook.redeliverWebhookEvent({ path }), event.reload);
  return (
    <>
      <div class="row">
        <h1>{shortOf(id)}</h1>
        {may && <Act label="Send again" action={again} />}
      </div>
      <Shown of={event}>
        {({ attemptLog, data, ...of }) => (
          <>
            <section class="card">
              <h2>Event</h2>
              <Facts
                of={[
                  ['Id', <Id of={of.id} isWhole />],
                  ['Type', of.type],
                  ['State', <Status of={of.state} />],
                  ['About', <Id of={of.objectId} />],
                  ['Created', <Time at={of.createdAt} />],
                  ['Delivered', <Time at={of.deliveredAt} />],
                  ['Next attempt', <Time at={of.nextAttemptAt} />],
                ]}
              />
            </section>
            <section class="card">
              <h2>Attempts</h2>
              <Table
                caption="Attempts to deliver it"
                items={attemptLog}
                keyOf={({ at }) => at}
                empty="No attempt was made yet."
                columns={[
                  { name: 'At', cell: ({ at }) => <Time at={at} /> },
                  {
                    name: 'Answer',
                    cell: ({ status, error }) => (status ? <HttpStatus of={status} /> : (error ?? '—')),
                  },
                  { name: 'Took', cell: ({ latencyMs }) => `${latencyMs} ms`, isNumber: true },
                  { name: 'To', cell: ({ url }) => <code>{url}</code>, isMinor: true },
                  { name: 'Said', cell: ({ responseBody }) => responseBody ?? '', isMinor: true },
                ]}
              />
            </section>
            <section class="card">
              <h2>Content</h2>
              <Json of={data} label="Content of the event" />
            </section>
          </>
        )}
      </Shown>
    </>
  );
}
