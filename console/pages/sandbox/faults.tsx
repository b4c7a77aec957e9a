import type { Schemas } from '@daybook/client';
import { daybook } from '../../data/client.ts';
import { useAction, useLoad } from '../../data/load.ts';
import { useMay } from '../../data/session.ts';
import { wordsOf } from '../../kernel/ids.ts';
import { Act, type Filled, Form, Input, Select } from '../../parts/fields.tsx';
import { Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/values.tsx';

type Fault = Schemas['SandboxFault'];
type Request = Schemas['SandboxFaultRequest'];

const kinds = ['DELAY', 'REFUSE', 'DROP', 'DUPLICATE_WEBHOOK', 'HOLD_WEBHOOK', 'RETURN_PAYMENT'] as const;

const moments = ['BEFORE', 'AFTER'] as const;

function effectOf(filled: Filled): Request['effect'] {
  const { kind = '', delay = 'PT1S', code = 'SERVICE_UNAVAILABLE' } = filled;
  const when = filled.when === 'AFTER' ? 'AFTER' : 'BEFORE';
  switch (kind) {
    case 'REFUSE':
      return { kind, code: code as 'SERVICE_UNAVAILABLE' };
    case 'DROP':
      return { kind, when };
    case 'DUPLICATE_WEBHOOK':
      return { kind };
    case 'HOLD_WEBHOOK':
    case 'RETURN_PAYMENT':
      return { kind, delay };
    default:
      return { kind: 'DELAY', when, delay };
  }
}

/** What a fault may be bound to. */
const matched = ['operationId', 'webhookType', 'accountId', 'currency', 'paymentRail'] as const;

const requestOf = (filled: Filled): Request => ({
  match: Object.fromEntries(
    matched.flatMap((name) => (filled[name] === undefined ? [] : [[name, filled[name]]])),
  ),
  effect: effectOf(filled),
  ...(filled.times && { times: Number(filled.times) }),
  ...(filled.lasts && { lasts: filled.lasts }),
});

export function Faults() {
  const may = useMay('MANAGE');
  const faults = useLoad('faults', (signal) => daybook.sandboxListFaults({ signal }));
  const create = useAction(
    (filled: Filled) => daybook.sandboxCreateFault({ body: requestOf(filled) }),
    faults.reload,
  );
  return (
    <section class="card">
      <h2>Faults</h2>
      <Shown of={faults}>
        {({ data }) => (
          <Table
            caption="Faults that may still happen"
            items={data}
            keyOf={({ id }) => id}
            empty="Nothing is planned: everything works."
            columns={[
              { name: 'Effect', cell: ({ effect }) => effectWords(effect) },
              {
                name: 'Where',
                cell: ({ match }) =>
                  Object.entries(match)
                    .map(([k, v]) => `${k} ${v}`)
                    .join(', ') || 'everywhere',
              },
              { name: 'Left', cell: ({ remaining }) => remaining ?? 'no bound', isNumber: true },
              { name: 'Until', cell: ({ expiresAt }) => <Time at={expiresAt} />, isMinor: true },
              ...(may
                ? [{ name: 'Remove', cell: (fault: Fault) => <Remove of={fault} reload={faults.reload} /> }]
                : []),
            ]}
          />
        )}
      </Shown>
      {may && (
        <Form
          submit="Plan"
          action={create}
          label="Plan a fault"
          onFilled={(filled) => void create.run(filled)}
        >
          <Select label="Effect" name="kind" options={kinds} value="DELAY" />
          <Input label="Operation" name="operationId" placeholder="transferOut" />
          <Input label="Webhook" name="webhookType" placeholder="OUTGOING_PAYMENT.COMPLETED" />
          <Input label="Account" name="accountId" placeholder="InternalAccount:…" />
          <Input label="Currency" name="currency" placeholder="USD" />
          <Input label="Rail" name="paymentRail" placeholder="ACH" />
          <Select label="When" name="when" options={moments} value="BEFORE" />
          <Input label="Delay, where it has one" name="delay" value="PT1S" />
          <Input label="Code, where it refuses" name="code" value="SERVICE_UNAVAILABLE" />
          <Input label="Times" name="times" type="number" value="1" />
          <Input label="For a duration" name="lasts" placeholder="PT1H" />
        </Form>
      )}
    </section>
  );
}

const effectWords = ({ kind, code, when, delay }: Fault['effect']) =>
  [wordsOf(kind), code, when?.toLowerCase(), delay].filter(Boolean).join(' ');

function Remove({ of, reload }: { of: Fault; reload: () => void }) {
  const remove = useAction<void>(() => daybook.sandboxDeleteFault({ path: { faultId: of.id } }), reload);
  return <Act label="Remove" action={remove} isDanger />;
}
