import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from '../../../src/kernel/json.ts';
import { bodiesOf, replacedAt, withIdsOf } from '../../support/http/bodies.ts';
import { basic, type Client, clientOf, type Json } from '../../support/http/client.ts';
import { type DocumentedOperation, takingBasic } from '../../support/interface/interface.ts';
import { validValue } from '../../support/interface/schema-values.ts';
import { quoteBody } from '../../support/resources/flows.ts';
import { usdInfo } from '../../support/resources/payments.ts';
import { type Belongings, createBelongings, pathOf, queryOf } from '../../support/resources/platforms.ts';
import { isChromiumHere } from '../support/chromium.ts';
import { hostile } from '../support/filled.ts';
import { pageNames, pagesOf, visitOfTests } from '../support/visit.ts';

/** Short enough for most fields, and what would run first. */
const injected = hostile.slice(0, 60);

const address = { line1: 'a', line2: 'b', city: 'c', state: 'd', postalCode: '1', country: 'US' };

/** Bodies with texts that neither the least body nor the whole one of the document has. */
const wordy: Readonly<Record<string, (own: Belongings) => readonly Json[]>> = {
  createCustomer: () => [
    { customerType: 'INDIVIDUAL', region: 'US', fullName: 'a', platformCustomerId: 'b', address },
    { customerType: 'BUSINESS', region: 'US', businessInfo: { legalName: 'a', taxId: 'b' }, address },
  ],
  createInvitation: ({ umaAddress }) => [{ inviterUma: umaAddress, firstName: 'a' }],
  createQuote: ({ accountId, externalAccountId }) => [
    quoteBody(accountId, externalAccountId, { description: 'a', remittanceInformation: 'b' }),
  ],
  createCustomerExternalAccount: ({ customerId }) => [
    { customerId, currency: 'USD', accountInfo: usdInfo(String(randomInt(100, 899))) },
  ],
};

/** The places of a body that hold text. */
function textsIn(value: Json, path = ''): string[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries<Json>(value).flatMap(([name, one]) => textsIn(one, path ? `${path}.${name}` : name));
}

/** Sends the request once for each text of its body, with what would run in its place. The places where it was taken. */
async function inject(
  { client, authorization }: { readonly client: Client; readonly authorization: string },
  own: Belongings,
  operation: DocumentedOperation,
): Promise<string[]> {
  const { method, operationId, body: schema } = operation;
  const bodies = [
    ...bodiesOf(operation, own),
    ...(schema ? [withIdsOf(own, validValue(schema, 'all'))] : []),
    ...(wordy[operationId]?.(own) ?? []),
  ];
  const query = new URLSearchParams(queryOf(operation, own)).toString();
  const path = pathOf(operation, own) + (query && `?${query}`);
  const taken: string[] = [];
  for (const [n, body] of bodies.entries())
    for (const at of textsIn(body)) {
      const answer = await client.raw(path, {
        method,
        headers: {
          authorization,
          'content-type': 'application/json',
          'idempotency-key': `${injected} ${operationId} ${at} ${n}`,
        },
        body: stringify(replacedAt(body, at, injected)),
      });
      if (answer.status < 300) taken.push(`${operationId} ${at}`);
    }
  return taken;
}

describe.skipIf(!isChromiumHere)('what would run, in each text of each request', () => {
  const visit = visitOfTests();
  let own: Belongings;
  const taken: string[] = [];

  beforeAll(async () => {
    if (!isChromiumHere) return;
    const { platform, daybook } = visit();
    const client = clientOf(daybook.baseUrl, platform);
    own = await createBelongings(client);
    const caller = { client, authorization: basic(platform) };
    for (const operation of takingBasic) taken.push(...(await inject(caller, own, operation)));
  });

  it('is taken where people may write what they like', () => {
    for (const place of [
      'createCustomer fullName',
      'createCustomer address.line1',
      'createCustomer businessInfo.legalName',
      'createCustomerExternalAccount accountInfo.beneficiary.fullName',
      'createBeneficialOwner personalInfo.lastName',
      'createToken name',
      'createAgent name',
      'createQuote description',
      'createInvitation firstName',
      'rejectAgentAction reason',
    ])
      expect(taken).toContain(place);
  });

  it.each([...pageNames, 'what was made'] as const)('stays text on %s', async (name) => {
    const { go, tab, filled, origin } = visit();
    const paths =
      name === 'what was made'
        ? [own.customerId, own.businessId, own.agentId, own.externalAccountId, own.tokenId].map(
            (id) => `/find?id=${encodeURIComponent(id)}`,
          )
        : [pagesOf(filled)[name][0]];
    for (const path of [...paths, `/payments/${own.transactionId}`, `/accounts/${own.accountId}`]) {
      await go(path);
      if (['/agents', '/payments'].includes(path))
        await expect.poll(() => tab.page.locator('main').innerText()).toContain(injected.slice(0, 30));
      expect(await tab.page.evaluate('window.taken')).toBeUndefined();
      expect(await tab.page.locator('main img, main script').count()).toBe(0);
    }
    expect([...tab.hosts]).toEqual([new URL(origin).host]);
    expect(tab.problems).toEqual([]);
  });
});
