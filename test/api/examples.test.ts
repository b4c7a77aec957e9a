import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { exampleIds, requestExamples } from '../../src/app/interface/examples.ts';
import { parseBody, stringify } from '../../src/kernel/json.ts';
import { employed } from '../support/agents.ts';
import { type Answer, basic, type Json } from '../support/client.ts';
import { formOf } from '../support/documents.ts';
import { createBusiness, expectStatus, fund, quoteBody } from '../support/flows.ts';
import { type DocumentedOperation, documented, titled } from '../support/interface.ts';
import { registerUsd } from '../support/payments.ts';
import { type Belongings, createBelongings, pathOf } from '../support/platforms.ts';
import { serviceOfTests } from '../support/service.ts';
import { createOwner } from '../support/verification.ts';
import { createWallet } from '../support/wallets.ts';

const service = serviceOfTests();
const { client } = service;

/** What an operation needs besides one of everything, or in place of it. */
const prepared: Readonly<Record<string, (own: Belongings) => Promise<Partial<Belongings>>>> = {
  transferIn: async ({ customerId }) => ({ externalAccountId: (await registerUsd(client, customerId)).id }),
  transferOut: async ({ customerId }) => ({ externalAccountId: (await registerUsd(client, customerId)).id }),
  createVerification: async () => {
    const { id: businessId } = await createBusiness(client);
    await createOwner(client, businessId);
    return { businessId };
  },
  createAuthCredential: async () => ({
    walletId: (await createWallet(client, { email: `${randomUUID()}@example.com` })).accountId,
  }),
  sandboxSend: async ({ customerId, accountId, externalAccountId }) => {
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId };
    const body = quoteBody(accountId, externalAccountId, { source });
    return { quoteId: expectStatus(await client.post('/quotes', body), 201).id };
  },
  redeliverWebhookEvents: async (own) => {
    expectStatus(await client.patch('/config', { webhookEndpoint: 'http://127.0.0.1:9/hooks' }), 200);
    return own;
  },
};
const aliases: Readonly<Record<string, string>> = {
  agentTransferIn: 'transferIn',
  agentTransferOut: 'transferOut',
};

/** They decide on a payment in a state that other tests bring about: `incoming-approval.test.ts` and `receiving-side.test.ts`. */
const deciding = ['approveTransaction', 'rejectTransaction', 'confirmReceiptDelivery'];

/** The example with what exists in the places of its ids. */
function grounded(operationId: string, own: Belongings): Json {
  const text = Object.entries(exampleIds).reduce(
    (text, [name, id]) => text.replaceAll(id, own[name as keyof Belongings]),
    stringify(requestExamples[operationId]),
  );
  return parseBody(Buffer.from(text));
}

async function sendExample(operation: DocumentedOperation, own: Belongings): Promise<Answer> {
  const { operationId, method, schemes, takesForm } = operation;
  const body = grounded(operationId, own);
  const path = pathOf(operation, own);
  if (takesForm) {
    const { file: _file, ...fields } = body;
    return client.form(method, path, formOf(fields));
  }
  const authorization = schemes.includes('bearer')
    ? `Bearer ${(await employed(client, own.customerId, { defaultExecutionMode: 'AUTO' })).accessToken}`
    : basic(service.credentials);
  const headers = { authorization, 'content-type': 'application/json' };
  return client.raw(path, { method, headers, body: stringify(body) });
}

describe('the example of the document', () => {
  const sent = documented.filter(
    ({ operationId }) => operationId in requestExamples && !deciding.includes(operationId),
  );
  it.each(titled(sent))('for %s is answered as it stands', async (_id, operation) => {
    const all = await createBelongings(client);
    await fund(client, all.accountId, 100_000);
    const { operationId } = operation;
    const own = { ...all, ...(await prepared[aliases[operationId] ?? operationId]?.(all)) };
    const answer = await sendExample(operation, own);
    expect([answer.status, answer.body?.details]).toEqual([
      expect.toBeOneOf([200, 201, 202, 204]),
      undefined,
    ]);
    expect(answer.headers.get('warning')).toBeNull();
  });
});
