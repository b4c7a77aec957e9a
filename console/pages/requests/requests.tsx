import type { Schemas } from '@daybook/client';
import { daybook } from '../../data/client.ts';
import { givenIn, goTo, pathWith } from '../../kernel/route.ts';
import { isoOf } from '../../kernel/time.ts';
import { Form, Input, Select } from '../../parts/fields.tsx';
import { type Column, List, usePaged } from '../../parts/table.tsx';
import { HttpStatus, Id, Time } from '../../parts/values.tsx';

type Logged = Schemas['LoggedRequest'];

export const requestColumns: readonly Column<Logged>[] = [
  { name: 'Request', cell: ({ id }) => <Id of={id} /> },
  { name: 'Answer', cell: ({ status }) => <HttpStatus of={status} /> },
  { name: 'Code', cell: ({ code }) => code ?? '', isMinor: true },
  { name: 'Operation', cell: ({ method, operationId }) => `${method} ${operationId}` },
  { name: 'Took', cell: ({ durationMs }) => `${durationMs.toFixed(1)} ms`, isNumber: true, isMinor: true },
  {
    name: 'Key',
    cell: ({ idempotencyKey }) => idempotencyKey && <code>{idempotencyKey}</code>,
    isMinor: true,
  },
  { name: 'At', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const names = ['search', 'method', 'status', 'minStatus', 'idempotencyKey', 'resourceId', 'from', 'to'];
const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;

export function RequestsPage({ query }: { query: URLSearchParams }) {
  const given = givenIn(query, names);
  const { from = '', to = '', status, minStatus, method, ...rest } = given;
  const [createdAfter, createdBefore] = [isoOf(from), isoOf(to)];
  const list = usePaged(
    JSON.stringify(given),
    (page, signal) =>
      daybook.listConsoleRequests({
        query: {
          ...rest,
          ...(method && { method: method as 'GET' }),
          ...(status && { status: Number(status) }),
          ...(minStatus && { minStatus: Number(minStatus) }),
          ...(createdAfter && { createdAfter }),
          ...(createdBefore && { createdBefore }),
          ...page,
          limit: 50,
        },
        signal,
      }),
    { everyMs: 5_000 },
  );
  return (
    <>
      <h1>Requests</h1>
      <Form
        isFilter
        label="Requests"
        submit="Search"
        onFilled={(filled) => goTo(pathWith('/requests', filled))}
      >
        <Input label="Text" name="search" placeholder="path, code, id…" value={given.search ?? ''} />
        <Select label="Method" name="method" options={methods} any="any" value={given.method ?? ''} />
        <Input label="Status" name="status" type="number" value={status ?? ''} />
        <Input label="Status from" name="minStatus" type="number" placeholder="400" value={minStatus ?? ''} />
        <Input label="Idempotency key" name="idempotencyKey" value={given.idempotencyKey ?? ''} />
        <Input label="Names the id" name="resourceId" value={given.resourceId ?? ''} />
        <Input label="From" name="from" type="datetime-local" value={from} />
        <Input label="To" name="to" type="datetime-local" value={to} />
      </Form>
      <div class="card">
        <List
          of={list}
          caption="Requests of this platform, newest first"
          columns={requestColumns}
          keyOf={({ id }) => id}
          empty={
            query.size > 0
              ? 'No request is like that. Take a filter away.'
              : 'No requests yet. Those of tokens and agents appear here a second or two after they were answered; those of the console do not.'
          }
        />
      </div>
    </>
  );
}
