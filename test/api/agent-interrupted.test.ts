import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/app/config.ts';
import { loadRates } from '../../src/app/parts/rates.ts';
import type { AgentCommand } from '../../src/domain/agents/agent.ts';
import type { Operation } from '../../src/domain/agents/events.ts';
import { type Aggregates, aggregates, eventSchemas } from '../../src/domain/aggregates.ts';
import { type Cause, createDispatcher, type Dispatcher } from '../../src/infrastructure/commands/dispatch.ts';
import { decodeEvent } from '../../src/infrastructure/event-store/encoding.ts';
import { postgresEventStore } from '../../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { type AgentActionId, derivedUuid, idOf, systemIds, uuidOf } from '../../src/kernel/ids.ts';
import type { Client, Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { createDatabase, query } from '../support/postgres/database.ts';
import { startTestService, type TestService } from '../support/processes/service.ts';
import {
  approvalRequired,
  approve,
  executeAs,
  newQuoteAs,
  payOut,
  quoteAs,
  type Staffed,
  staffed,
  usageOf,
} from '../support/resources/agents.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';
import { balanceOf } from '../support/resources/payments.ts';

/** One carries no flow on by itself, like a service that has just come up again; the other does. */
let idle: TestService;
let databaseUrl: string;
beforeAll(async () => {
  databaseUrl = await createDatabase();
  idle = await startTestService({ databaseUrl, variables: { DAYBOOK_ROLES: 'api,projector' } });
});
afterAll(() => idle.stop());

/** What the agent's action of an earlier request does, to do the same again. */
async function operationOf({ agentId, id }: Json): Promise<Operation> {
  const [stored] = await query<Json>(
    databaseUrl,
    `select type, data, metadata, id, stream from daybook_log.events
     where stream = $1 and data ->> 'actionId' = $2 and data -> 'operation' is not null`,
    [`agent-${uuidOf(agentId)}`, id],
  );
  return decodeEvent<{ type: string; data: { operation: Operation } }>(eventSchemas, stored).data.operation;
}

/** Leaves the key as a process leaves it that was killed a while ago; returns what the request acts under. */
async function usedKey({ agent }: Staffed, path: string, key: string): Promise<string> {
  const scope = derivedUuid(agent.id, 'POST', path, key);
  const since = new Date().toISOString();
  const insert = `insert into daybook.idempotency_keys (scope, held_until, created_at)
     values ($1, clock_timestamp() - interval '10 minutes', $2)`;
  await query(databaseUrl, insert, [scope, since]);
  return derivedUuid(scope, since);
}

/** Records what the agent's stream decides and stops there: no policy runs. */
const decideOnly = ({ agent, customer }: Staffed, command: AgentCommand) =>
  recordOnly(customer, (commands, cause) => commands.run('agent', uuidOf(agent.id), command, cause));

async function recordOnly(
  customer: Json,
  record: (commands: Pick<Dispatcher<Aggregates>, 'run'>, cause: Cause) => Promise<unknown>,
) {
  const store = await postgresEventStore(databaseUrl, createLog('silent'));
  const now = () => new Date();
  const commands = createDispatcher({ store, newEventId: systemIds.uuid, now }, aggregates, []);
  const [row] = await query<{ platform_id: string }>(
    databaseUrl,
    'select platform_id from daybook.customers where id = $1',
    [customer.id],
  );
  const platformId = row?.platform_id ?? '';
  const cause = { platformId, correlationId: 'cut short', causationId: 'cut short', actor: 'test' };
  await record(commands, cause);
  await store.close();
}

const submission = async (actionId: AgentActionId, operation: Operation): Promise<AgentCommand> => {
  const {
    rates: { table: rates },
  } = await loadRates(readConfig({}), { log: createLog('silent'), now: () => new Date() });
  return { type: 'SubmitAction', actionId, operation, rates, at: new Date() };
};

/** The same transfer as another action. */
function asAnother(operation: Operation, actionId: AgentActionId): Operation {
  if (operation.type === 'EXECUTE_QUOTE') throw new Error('not a transfer');
  const { transfer } = operation;
  const transactionId = idOf('Transaction', uuidOf(actionId));
  const agentAction = transfer.agentAction && { ...transfer.agentAction, actionId };
  return { ...operation, transfer: { ...transfer, transactionId, agentAction } };
}

describe('a keyed request that was cut short after the agent’s stream had decided', () => {
  let client: Client;
  beforeAll(() => {
    ({ client } = idle);
  });

  it('is finished by its repetition when it is a transfer', async () => {
    const one = await staffed(client);
    const like = await operationOf(expectStatus(await payOut(one, 1_000), 201));
    const key = randomUUID();
    const actionId = idOf(
      'AgentAction',
      derivedUuid(await usedKey(one, '/agents/me/transfer-out', key), 'action'),
    );
    await decideOnly(one, await submission(actionId, asAnother(like, actionId)));
    const action = expectStatus(await payOut(one, 1_000, { 'idempotency-key': key }), 201);
    expect(action).toMatchObject({
      id: actionId,
      status: 'APPROVED',
      transaction: { agentId: one.agent.id },
    });
    expect(await balanceOf(client, one.customer.id)).toBe(998_000);
    expect(await usageOf(one)).toMatchObject({ dailyTransactionCount: 2, dailySpend: 2_000 });
  });

  it('is finished by its repetition when it is an execution without money', async () => {
    const one = await staffed(client, {}, 15_000);
    const quoted = await newQuoteAs(one);
    const earlier = await newQuoteAs(one);
    const like = await operationOf(expectStatus(await executeAs(one, earlier), 200));
    const key = randomUUID();
    const path = `/agents/me/quotes/${quoted.id}/execute`;
    const actionId = idOf('AgentAction', derivedUuid(await usedKey(one, path, key), 'action'));
    const { quoteId, transactionId } = { quoteId: quoted.id, transactionId: quoted.transactionId };
    await decideOnly(one, await submission(actionId, { ...like, quoteId, transactionId } as Operation));
    expect(await usageOf(one)).toMatchObject({ dailyTransactionCount: 2 });
    const answer = await executeAs(one, quoted, { 'idempotency-key': key });
    const { details } = expectProblem(answer, 400, 'INSUFFICIENT_BALANCE');
    expect(details).toEqual({ accountId: one.account.id, currency: 'USD', balance: 5_000, required: 10_000 });
    expect(await usageOf(one)).toMatchObject({ dailyTransactionCount: 1, dailySpend: 10_000 });
  });

  it('is finished by its repetition when it is a quote that waits for approval', async () => {
    const one = await staffed(client, approvalRequired);
    const overrides = { immediatelyExecute: true };
    expectStatus(await quoteAs(one, overrides), 201);
    const [action] = expectStatus(await one.me.get('/agents/me/actions'), 200).data;
    const like = await operationOf(action);
    const key = randomUUID();
    const scope = await usedKey(one, '/agents/me/quotes', key);
    const actionId = idOf('AgentAction', derivedUuid(scope, 'action'));
    const uuid = derivedUuid(scope, 'quote');
    const ids = { quoteId: idOf('Quote', uuid), transactionId: idOf('Transaction', uuid) };
    if (like.type !== 'EXECUTE_QUOTE' || !like.creates) throw new Error('not a new quote');
    const operation = { ...like, ...ids, creates: { ...like.creates, ...ids } };
    await decideOnly(one, await submission(actionId, operation));
    const approved = expectStatus(await approve(client, { agentId: one.agent.id, id: actionId }), 200);
    expect(approved).toMatchObject({ status: 'APPROVED', quote: { id: ids.quoteId } });
    const quoted = expectStatus(await quoteAs(one, overrides, { 'idempotency-key': key }), 201);
    expect(quoted).toMatchObject({ id: ids.quoteId, status: 'PROCESSING' });
  });

  it('is answered with its action where that was approved meanwhile and came to nothing', async () => {
    const one = await staffed(client, approvalRequired);
    const like = await operationOf(expectStatus(await payOut(one, 1_000), 201));
    const key = randomUUID();
    const scope = await usedKey(one, '/agents/me/transfer-out', key);
    const actionId = idOf('AgentAction', derivedUuid(scope, 'action'));
    await decideOnly(one, await submission(actionId, asAnother(like, actionId)));
    const permissions = ['VIEW_TRANSACTIONS'];
    expectStatus(await client.patch(`/agents/${one.agent.id}/policy`, { permissions }), 200);
    const failed = expectStatus(await approve(client, { agentId: one.agent.id, id: actionId }), 200);
    expect(failed).toMatchObject({ status: 'FAILED', failure: { code: 'FORBIDDEN' } });
    const answer = expectStatus(await payOut(one, 1_000, { 'idempotency-key': key }), 201);
    expect(answer).toEqual(failed);
  });

  it('is answered with its action where the quote has expired while that waited', async () => {
    const one = await staffed(client, approvalRequired);
    const quoted = await newQuoteAs(one);
    const earlier = await newQuoteAs(one);
    const like = await operationOf(expectStatus(await executeAs(one, earlier), 200));
    const key = randomUUID();
    const scope = await usedKey(one, `/agents/me/quotes/${quoted.id}/execute`, key);
    const actionId = idOf('AgentAction', derivedUuid(scope, 'action'));
    const { quoteId, transactionId } = { quoteId: quoted.id, transactionId: quoted.transactionId };
    await decideOnly(one, await submission(actionId, { ...like, quoteId, transactionId } as Operation));
    await decideOnly(one, { type: 'ExpireExecution', transactionId, at: new Date() });
    const answer = expectStatus(await executeAs(one, quoted, { 'idempotency-key': key }), 200);
    expect(answer).toMatchObject({ id: actionId, status: 'FAILED', failure: { code: 'QUOTE_EXPIRED' } });
  });
});

it('an execution that came to wait just after its quote had expired waits for nobody', async () => {
  const one = await staffed(idle.client, approvalRequired);
  const quoted = await newQuoteAs(one);
  const like = await operationOf(expectStatus(await executeAs(one, await newQuoteAs(one)), 200));
  const key = randomUUID();
  const scope = await usedKey(one, `/agents/me/quotes/${quoted.id}/execute`, key);
  const actionId = idOf('AgentAction', derivedUuid(scope, 'action'));
  const { quoteId, transactionId } = { quoteId: quoted.id, transactionId: quoted.transactionId };
  await recordOnly(one.customer, (commands, cause) =>
    commands.run(
      'transaction',
      uuidOf(quoted.id),
      { type: 'ExpireQuote', at: new Date(quoted.expiresAt) },
      cause,
    ),
  );
  await decideOnly(one, await submission(actionId, { ...like, quoteId, transactionId } as Operation));
  const answer = await executeAs(one, quoted, { 'idempotency-key': key });
  const failure = { code: 'QUOTE_EXPIRED' };
  expect(expectStatus(answer, 200)).toMatchObject({ id: actionId, status: 'FAILED', failure });
});

describe('an action whose process died after the agent’s stream had decided', () => {
  it('is finished by the worker', async () => {
    const working = await startTestService({ databaseUrl, variables: { DAYBOOK_ROLES: 'worker,api' } });
    const one = await staffed(idle.client);
    const like = await operationOf(expectStatus(await payOut(one, 1_000), 201));
    const actionId = idOf('AgentAction', randomUUID());
    await decideOnly(one, await submission(actionId, asAnother(like, actionId)));
    const action = await eventually(
      async () => (await one.me.get(`/agents/me/actions/${actionId}`)).body,
      ({ transaction }) => transaction?.status === 'COMPLETED',
    );
    expect(action.status).toBe('APPROVED');
    expect(await balanceOf(idle.client, one.customer.id)).toBe(998_000);
    await working.stop();
  });
});
