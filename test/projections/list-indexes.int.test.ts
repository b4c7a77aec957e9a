import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReadDb, type ReadDb } from '../../projections/database.ts';
import { listApiTokens } from '../../projections/kept/api-tokens.ts';
import { listToldAfter, listWebhookEvents } from '../../projections/kept/webhook-events.ts';
import { migrateBooks } from '../../projections/migrations/migrate.ts';
import { listAgentActions } from '../../projections/models/agent-actions.ts';
import { listAgents } from '../../projections/models/agents.ts';
import { listBeneficialOwners } from '../../projections/models/beneficial-owners.ts';
import { hasAddressOfOthers, listCustomers } from '../../projections/models/customers.ts';
import { listDocuments } from '../../projections/models/documents.ts';
import {
  defaultDepositAccount,
  leaveNoDefault,
  listExternalAccounts,
} from '../../projections/models/external-accounts.ts';
import { listCustomerAccounts } from '../../projections/models/internal-accounts.ts';
import { openPaymentsOf } from '../../projections/models/open-payments.ts';
import { transactionLists } from '../../projections/models/transaction-lists.ts';
import { listVerifications, openVerifications } from '../../projections/models/verifications.ts';
import { operations } from '../../src/app/interface/operations.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import { type CustomerId, type InternalAccountId, idOf } from '../../src/kernel/ids.ts';
import { createDatabase, query } from '../support/postgres/database.ts';
import { explained, fillTable, type Plan } from '../support/postgres/plans.ts';
import { uuidNumber } from '../support/values/ids.ts';

const platform = idOf('Platform', uuidNumber(1));
const page = { limit: 20 };

// biome-ignore lint/suspicious/noExplicitAny: each list has filters of its own type, and is given those that it declares
type Filters = any;
type List = {
  readonly table: string;
  readonly read: (db: ReadDb, filters: Filters) => Promise<unknown>;
  /** The columns of filters that may leave few of many rows. */
  readonly selective: Readonly<Record<string, string>>;
  /** Filters whose few values divide the rows: the page is found by time. */
  readonly dividing?: Readonly<Record<string, unknown>>;
};

const byCreation = { createdAfter: 'created_at', createdBefore: 'created_at' };
const byChange = { ...byCreation, updatedAfter: 'updated_at' };
const beforeMost = { updatedBefore: new Date('2025-12-31T00:00:00Z') };
const byDate = { startDate: 'created_at', endDate: 'created_at' };
const accounts = { accountIdentifier: 'sender_account', senderAccountIdentifier: 'sender_account' };
const payments: List = {
  table: 'transactions',
  read: (db, filters) => transactionLists(db)(platform, filters, page, 'desc'),
  selective: {
    ...accounts,
    receiverAccountIdentifier: 'receiver_account',
    reference: 'reference',
    status: 'status',
    ...byDate,
  },
  dividing: { type: 'usual1' },
};
const internal: List = {
  table: 'internal_accounts',
  read: (db, filters) => listCustomerAccounts(db, platform, filters, page),
  selective: {},
  dividing: { currency: 'usual1', type: 'usual1' },
};
const external = (owner: 'customers' | 'platform'): List => ({
  table: 'external_accounts',
  read: (db, filters) => listExternalAccounts(db, platform, owner, filters, page),
  selective: {},
  dividing: { currency: 'usual1' },
});
const ofCustomer = { customerId: 'customer_id' };

const lists: Readonly<Record<string, List>> = {
  listCustomers: {
    table: 'customers',
    read: (db, filters) => listCustomers(db, platform, filters, page),
    selective: {
      platformCustomerId: 'platform_customer_id',
      customerType: 'customer_type',
      region: 'region',
      currency: 'currencies',
      umaAddress: 'uma_address',
      ...byChange,
    },
    dividing: { ...beforeMost, isIncludingDeleted: true },
  },
  listBeneficialOwners: {
    table: 'beneficial_owners',
    read: (db, { customerId }) => listBeneficialOwners(db, platform, customerId, page),
    selective: ofCustomer,
  },
  listDocuments: {
    table: 'documents',
    read: (db, { documentHolder }) => listDocuments(db, platform, documentHolder, page),
    selective: { documentHolder: 'document_holder' },
  },
  listVerifications: {
    table: 'verifications',
    read: (db, filters) => listVerifications(db, platform, filters, page),
    selective: { ...ofCustomer, verificationStatus: 'status' },
  },
  listCustomerInternalAccounts: { ...internal, selective: ofCustomer },
  listAgentInternalAccounts: internal,
  listCustomerExternalAccounts: { ...external('customers'), selective: ofCustomer },
  listPlatformExternalAccounts: external('platform'),
  listAgentExternalAccounts: external('customers'),
  listTransactions: {
    ...payments,
    selective: { ...payments.selective, ...ofCustomer, platformCustomerId: 'platform_customer_id' },
  },
  listAgentTransactions: payments,
  listTokens: {
    table: 'api_tokens',
    read: (db, filters) => listApiTokens(db, { platformId: platform, environment: 'sandbox' }, filters, page),
    selective: { name: 'name', ...byChange },
    dividing: beforeMost,
  },
  listAgents: {
    table: 'agents',
    read: (db, filters) => listAgents(db, platform, filters, page),
    selective: { ...ofCustomer, ...byChange },
    dividing: { ...beforeMost, isPaused: true, isConnected: true },
  },
  listAgentApprovals: {
    table: 'agent_actions',
    read: (db, filters) => listAgentActions(db, platform, { ...filters, status: 'PENDING_APPROVAL' }, page),
    selective: { agentId: 'agent_id', ...ofCustomer, ...byDate },
  },
  listAgentDecisions: {
    table: 'agent_actions',
    read: (db, filters) => listAgentActions(db, platform, { ...filters, isDecided: true }, page),
    selective: {
      agentId: 'agent_id',
      ...ofCustomer,
      decidedAfter: 'decided_at',
    },
    dividing: { status: 'EXECUTED', decidedBefore: beforeMost.updatedBefore },
  },
  listAgentActions: {
    table: 'agent_actions',
    read: (db, filters) => listAgentActions(db, platform, { ...filters, agentId: 'rare' as never }, page),
    selective: {},
    dividing: { status: 'PENDING_APPROVAL' },
  },
  sandboxListEmails: { table: 'emails', read: async () => undefined, selective: {} },
  listWebhookEvents: {
    table: 'webhook_events',
    read: (db, filters) => listWebhookEvents(db, platform, filters, page),
    selective: { type: 'type', objectId: 'object_id', state: 'state', ...byCreation },
  },
};

/** Where a list looks for values of its own. */
const special: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  agent_actions: { status: `case when n % 2 = 0 then 'PENDING_APPROVAL' else 'EXECUTED' end` },
  // Nearly all of one customer, of which one is the default.
  external_accounts: {
    customer_id: `case when n % 5000 = 0 then 'rare' else 'busy' end`,
    default_uma_deposit_account: 'n = 7',
    status: `'ACTIVE'`,
  },
  verifications: {
    customer_id: `case when n % 5000 = 0 then 'rare' else 'id' || n end`,
    status: `case when n % 5000 = 0 then 'rare' when n % 50 = 1 then 'IN_PROGRESS' else 'APPROVED' end`,
  },
  webhook_events: { state: `case when n % 5000 = 0 then 'FAILED' else 'DELIVERED' end` },
};

const notFilters = new Set(['limit', 'cursor', 'sortOrder']);
/** By a place in an order that an index has, and not by filters: `bench/point-in-time.ts`, and a sandbox's outbox. */
const byPlace = new Set(['getStatement', 'sandboxListWebhooks', 'listConsoleRequests']);
const declared = operations.flatMap(({ operationId, query: asked }: Filters) =>
  asked?.shape.limit && !byPlace.has(operationId)
    ? [[operationId, Object.keys(asked.shape).filter((name) => !notFilters.has(name))] as const]
    : [],
);

/** Before or after nearly all rows that there are. */
const moments: Readonly<Record<string, Date>> = {
  After: new Date('2026-01-01T04:09:50Z'),
  Before: new Date('2025-12-31T00:00:00Z'),
};
const valueFor = (name: string): unknown => {
  if (name === 'state') return 'FAILED';
  if (name === 'startDate') return moments.After;
  if (name === 'endDate') return moments.Before;
  return moments[/After|Before/.exec(name)?.[0] ?? ''] ?? 'rare';
};

let url: string;
let db: ReadDb;
beforeAll(async () => {
  url = await createDatabase();
  db = createReadDb(createPool({ url, max: 3, name: 'plans' }));
  await migrateBooks(db);
  for (const table of new Set(Object.values(lists).map((list) => list.table)))
    await fillTable(url, table, platform, special[table]);
  await fillTable(url, 'uncompleted_transactions', platform);
  await query(url, 'analyze');
});
afterAll(() => db.destroy());

/** Of the list's own table, but for those that read rows by their ids. */
const plansOf = async ({ read, table }: List, filters: object): Promise<readonly Plan[]> =>
  (await explained(url, db, () => read(db, filters))).filter(
    ({ text }) => text.includes(table) && !text.endsWith('= any($1)'),
  );

describe('the filters of', () => {
  it.each(declared)('%s are those whose indexes are looked at', (operationId, names) => {
    const { selective = {}, dividing = {} } = lists[operationId] ?? {};
    expect([...Object.keys(selective), ...Object.keys(dividing)].toSorted()).toEqual(names.toSorted());
  });
});

const selective = Object.entries(lists).flatMap(([operationId, list]) =>
  Object.entries(list.selective).map(([name, column]) => [operationId, name, list, column] as const),
);
const dividing = Object.entries(lists).flatMap(([operationId, list]) =>
  Object.entries(list.dividing ?? {}).map(([name, value]) => [operationId, name, list, value] as const),
);

describe('where they leave few of many rows', () => {
  it.each(selective)('%s finds them by an index on %s', async (_id, name, list, column) => {
    const plans = await plansOf(list, { [name]: valueFor(name) });
    expect(plans.length).toBeGreaterThan(0);
    for (const { text, conditions, scanned } of plans) {
      expect(scanned, text).not.toContain(list.table);
      expect(conditions.join(' '), text).toContain(column);
    }
  });
});

it('payments under way to and from a customer are found by the indexes of their accounts', async () => {
  const work = () => openPaymentsOf(db, platform, 'rare' as CustomerId, ['rare' as InternalAccountId], 10);
  const [{ text, conditions, scanned }] = (await explained(url, db, work)) as [Plan];
  expect(scanned, text).toEqual([]);
  for (const column of ['sender_account', 'receiver_account', 'customer_id'])
    expect(conditions.join(' '), text).toContain(column);
});

describe('a payment address among the filters of payments', () => {
  it.each(['accountIdentifier', 'senderAccountIdentifier', 'receiverAccountIdentifier'])(
    'as %s is found by the indexes of accounts and of customers',
    async (name) => {
      const plans = await plansOf(payments, { [name]: '$rare@pay.example' });
      expect(plans.length).toBeGreaterThan(0);
      for (const { text, conditions, scanned } of plans) {
        expect(scanned, text).toEqual([]);
        expect(conditions.join(' '), text).toContain('customer_id');
        expect(conditions.join(' '), text).toContain('uma_address');
      }
    },
  );
});

describe('where they divide the rows', () => {
  it.each(dividing)('%s finds a page by an index, whatever %s is', async (_id, name, list, value) => {
    const [pagePlan] = (await plansOf(list, { [name]: value })).filter(({ text }) => text.includes('limit'));
    expect(pagePlan).toBeDefined();
    expect(pagePlan?.scanned).not.toContain(list.table);
  });
});

it.each([
  ['taken', (on: ReadDb) => defaultDepositAccount(on, platform, 'busy' as CustomerId, 'usual7')],
  ['given up', (on: ReadDb) => leaveNoDefault(on, 'busy' as CustomerId, new Date('2026-01-02T00:00:00Z'))],
])("a customer's default account is found by an index on defaults where it is %s", async (_how, work) => {
  const [{ text, conditions, scanned }] = (await explained(url, db, () => work(db))) as [Plan];
  expect(scanned, text).toEqual([]);
  expect(conditions.join(' '), text).toContain('customer_id');
});

it("others' payment addresses at a domain are found by an index on domains, beside any number of the platform's own", async () => {
  const plans = await explained(url, db, () => hasAddressOfOthers(db, platform, 'pay.example'));
  expect(plans.length).toBeGreaterThan(0);
  for (const { text, conditions, scanned } of plans) {
    expect(scanned, text).toEqual([]);
    expect(conditions.join(' '), text).toMatch(/split_part.*platform_id/);
  }
});

it('verifications that wait for a decision are found by an index on them, and their customers by their ids', async () => {
  const { nextCursor: cursor } = await openVerifications(db, { limit: 100 });
  expect(cursor).toBeDefined();
  const read = async () => {
    await openVerifications(db, { limit: 100 });
    await openVerifications(db, { limit: 100, cursor });
  };
  const plans = await explained(url, db, read);
  expect(plans).toHaveLength(2);
  for (const { text, conditions, scanned } of plans) {
    expect(scanned, text).toEqual([]);
    expect(conditions.join(' '), text).toContain('verifications.customer_id');
  }
});

describe('what a platform is told', () => {
  it('is found from a place on by an index on places', async () => {
    const after = { position: 29_900n, n: 0 };
    const read = () => listToldAfter(db, platform, { after }, 20);
    const plans = await plansOf({ table: 'webhook_events', read, selective: {} }, {});
    expect(plans).toHaveLength(1);
    for (const { text, conditions, scanned } of plans) {
      expect(scanned, text).toEqual([]);
      expect(conditions.join(' '), text).toContain('position');
    }
  });
});
