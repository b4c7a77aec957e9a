import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { together } from '../support/http/concurrency.ts';
import { allPages, cursorOf, idsIn } from '../support/http/lists.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { createCustomer, expectStatus, individual } from '../support/resources/flows.ts';

const service = serviceOfTests();
const { client } = service;
let customers: Json[];
let ada: Json;
beforeAll(async () => {
  customers = [];
  for (let n = 0; n < 12; n++)
    customers.push(await createCustomer(client, { platformCustomerId: `customer-${n}` }));
  ada = await createCustomer(client, {
    region: 'MX',
    currencies: ['MXN', 'USDC'],
    platformCustomerId: 'ada',
  });
  customers.push(ada);
});

const later = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();

describe('the list of customers', () => {
  it('shows the newest first, and their number', async () => {
    const page = expectStatus(await client.get('/customers', { limit: '5' }), 200);
    expect(page).toMatchObject({ hasMore: true, totalCount: 13 });
    expect(page.data).toEqual(customers.toReversed().slice(0, 5));
  });

  it('shows 20 to a page unless told otherwise', async () => {
    const page = expectStatus(await client.get('/customers'), 200);
    expect(page).toMatchObject({ hasMore: false, totalCount: 13 });
    expect(page).not.toHaveProperty('nextCursor');
    expect(page.data).toHaveLength(13);
  });

  it.each<[string, () => Record<string, string>]>([
    ['platformCustomerId', () => ({ platformCustomerId: 'ada' })],
    ['region', () => ({ region: 'MX' })],
    ['currency', () => ({ currency: 'USDC' })],
    ['umaAddress', () => ({ umaAddress: ada.umaAddress.toUpperCase() })],
    ['several at once', () => ({ region: 'MX', currency: 'MXN', customerType: 'INDIVIDUAL' })],
    ['createdAfter, inclusive', () => ({ createdAfter: ada.createdAt })],
    ['updatedAfter, inclusive', () => ({ updatedAfter: ada.updatedAt })],
    ['createdBefore, inclusive', () => ({ region: 'MX', createdBefore: ada.createdAt })],
    ['updatedBefore, inclusive', () => ({ region: 'MX', updatedBefore: ada.updatedAt })],
    ['an offset in the date', () => ({ createdAfter: ada.createdAt.replace('Z', '+00:00') })],
    ['a bare date', () => ({ region: 'MX', createdAfter: ada.createdAt.slice(0, 10) })],
    ['deleted ones too', () => ({ region: 'MX', isIncludingDeleted: 'true' })],
  ])('filters by %s', async (_what, query) => {
    expect(await idsIn(client, '/customers', query())).toEqual([ada.id]);
  });

  it.each<[string, () => Record<string, string>]>([
    ['a platformCustomerId in other case', () => ({ platformCustomerId: 'ADA' })],
    ['another region', () => ({ region: 'BR' })],
    ['another currency', () => ({ currency: 'BRL' })],
    ['an unknown currency', () => ({ currency: 'XXX' })],
    ['another address', () => ({ umaAddress: '$nobody@daybook.test' })],
    ['a millisecond after', () => ({ createdAfter: later(ada.createdAt, 1) })],
    ['a millisecond before', () => ({ region: 'MX', createdBefore: later(ada.createdAt, -1) })],
    ['a later update', () => ({ updatedAfter: later(ada.updatedAt, 1) })],
    ['an earlier update', () => ({ region: 'MX', updatedBefore: later(ada.updatedAt, -1) })],
    ['the first year there is', () => ({ createdBefore: '0000-01-01T00:00:00Z' })],
    ['the last year there is', () => ({ createdAfter: '9999-12-31T23:59:59-23:59' })],
    ['businesses', () => ({ customerType: 'BUSINESS' })],
  ])('finds nothing for %s', async (_what, query) => {
    const page = expectStatus(await client.get('/customers', query()), 200);
    expect(page).toEqual({ data: [], hasMore: false, totalCount: 0 });
  });

  it.each<[string, Record<string, string | string[]>, string]>([
    ['limit 0', { limit: '0' }, 'limit'],
    ['limit 101', { limit: '101' }, 'limit'],
    ['limit abc', { limit: 'abc' }, 'limit'],
    ['limit 1.5', { limit: '1.5' }, 'limit'],
    ['an empty limit', { limit: '' }, 'limit'],
    ['two limits', { limit: ['1', '2'] }, 'limit'],
    ['a limit that is no decimal', { limit: '0x10' }, 'limit'],
    ['an unknown type', { customerType: 'ROBOT' }, 'customerType'],
    ['a date that does not exist', { createdAfter: '2026-02-30' }, 'createdAfter'],
    ['a boolean of another kind', { isIncludingDeleted: 'yes' }, 'isIncludingDeleted'],
    ['an empty cursor', { cursor: '' }, 'cursor'],
    ['a cursor of nonsense', { cursor: 'nonsense' }, 'cursor'],
    ['a cursor that is JSON', { cursor: Buffer.from('{"id":1}').toString('base64url') }, 'cursor'],
    ['a NUL', { platformCustomerId: 'a\u0000b' }, 'platformCustomerId'],
  ])('refuses %s', async (_what, query, field) => {
    const problem = expectProblem(await client.get('/customers', query), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual([field]);
  });

  it('takes a limit from 1 to 100', async () => {
    expect(expectStatus(await client.get('/customers', { limit: '1' }), 200).data).toEqual([ada]);
    expect(expectStatus(await client.get('/customers', { limit: '100' }), 200).data).toHaveLength(13);
  });
});

describe('a cursor', () => {
  it.each(['1', '5', '12', '13', '14'])('leads through every row once, %s at a time', async (limit) => {
    const ids = (await allPages(client, '/customers', { limit })).map(({ id }) => id);
    expect(ids).toEqual(customers.map(({ id }) => id).toReversed());
  });

  it('keeps its filter and its total from page to page', async () => {
    const cursor = await cursorOf(client, '/customers', { limit: '10', region: 'US' });
    const last = expectStatus(await client.get('/customers', { limit: '10', region: 'US', cursor }), 200);
    expect(last).toMatchObject({ hasMore: false, totalCount: 12 });
    expect(last.data).toHaveLength(2);
  });

  it('may be used with another limit', async () => {
    const cursor = await cursorOf(client, '/customers', { limit: '1' });
    expect(expectStatus(await client.get('/customers', { limit: '3', cursor }), 200).data).toHaveLength(3);
  });

  it.each<[string, Record<string, string>]>([
    ['no filter', {}],
    ['another value', { region: 'MX' }],
    ['one filter more', { region: 'US', currency: 'USD' }],
  ])('is refused with %s', async (_what, query) => {
    const cursor = await cursorOf(client, '/customers', { limit: '5', region: 'US' });
    const problem = expectProblem(await client.get('/customers', { ...query, cursor }), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['cursor']);
  });

  it('is refused by another list', async () => {
    const cursor = await cursorOf(client, '/customers/internal-accounts', { limit: '1' });
    expectProblem(await client.get('/customers', { cursor }), 400, 'INVALID_INPUT');
  });

  it.each<[string, number, unknown]>([
    ['a NUL', 1, 'Customer:\u0000'],
    ['no id', 1, 7],
    ['no date', 0, 'yesterday'],
    ['a date that Postgres does not have', 0, '0000-01-01T00:00:00.000Z'],
    ['no digest', 2, null],
  ])('is refused with %s in it', async (_what, index, part) => {
    const cursor = await cursorOf(client, '/customers', { limit: '5' });
    const content = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify(content.with(index, part))).toString('base64url');
    expectProblem(await client.get('/customers', { limit: '5', cursor: forged }), 400, 'INVALID_INPUT');
  });

  it('shows every row once while others are being created', async () => {
    const before = await idsIn(client, '/customers');
    const walk = allPages(client, '/customers', { limit: '2' });
    const arrivals = together(30, () => client.post('/customers', individual()));
    const seen = (await walk).map(({ id }) => id);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => before.includes(id))).toEqual(before);
    expect((await arrivals).every(({ status }) => status === 201)).toBe(true);
  });
});
