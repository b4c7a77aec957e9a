import { beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../src/api/console/search/operations.ts';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { type Belongings, besideOfTests, createBelongings } from '../support/resources/platforms.ts';
import { idOfNobody } from '../support/values/ids.ts';

const service = serviceOfTests();
const other = besideOfTests(service);
let own: Belongings;
beforeAll(async () => {
  own = await createBelongings(service.client);
});

const owned: Readonly<Record<keyof typeof kinds, keyof Belongings>> = {
  Transaction: 'transactionId',
  Quote: 'quoteId',
  Customer: 'customerId',
  BeneficialOwner: 'beneficialOwnerId',
  Document: 'documentId',
  Verification: 'verificationId',
  InternalAccount: 'accountId',
  ExternalAccount: 'externalAccountId',
  Agent: 'agentId',
  AgentAction: 'actionId',
  Webhook: 'webhookEventId',
  Token: 'tokenId',
  Request: 'requestId',
};
const rows = Object.entries(owned) as [keyof typeof kinds, keyof Belongings][];

describe('a search', () => {
  it.each(rows)('finds a %s by its id, for its platform alone', async (type, name) => {
    const id = own[name];
    const found = expectStatus(await service.client.get('/console/search', { id: ` ${id} ` }), 200);
    expect(found).toMatchObject({ kind: kinds[type][0], id });
    // Quotes and external accounts, too: what is found is there.
    expectStatus(await service.client.get(found.path), 200);
    for (const nowhere of [id, idOfNobody(type)])
      expectProblem(await other.client.get('/console/search', { id: nowhere }), 404, 'REFERENCE_NOT_FOUND');
  });

  describe('of what was deleted', () => {
    let gone: Belongings;
    beforeAll(async () => {
      gone = await createBelongings(service.client);
      const { externalAccountId, documentId, agentId, tokenId, businessId } = gone;
      expectStatus(await service.client.delete(`/customers/external-accounts/${externalAccountId}`), 204);
      expectStatus(await service.client.delete(`/documents/${documentId}`), 204);
      expectStatus(await service.client.delete(`/agents/${agentId}`), 204);
      expectStatus(await service.client.delete(`/tokens/${tokenId}`), 204);
      expectStatus(await service.client.delete(`/customers/${businessId}`), 200);
    });

    it.each(['externalAccountId', 'businessId', 'beneficialOwnerId', 'verificationId'] as const)(
      'finds %s, and the interface tells of it',
      async (name) => {
        const { path } = expectStatus(await service.client.get('/console/search', { id: gone[name] }), 200);
        expectStatus(await service.client.get(path), 200);
      },
    );

    it.each(['documentId', 'agentId', 'actionId', 'tokenId'] as const)('does not find %s', async (name) => {
      expectProblem(
        await service.client.get('/console/search', { id: gone[name] }),
        404,
        'REFERENCE_NOT_FOUND',
      );
    });
  });

  it('finds no credential, session, lookup, fault or snapshot', async () => {
    const { credentialId, sessionId, lookupId, faultId, snapshotId } = own;
    for (const id of [credentialId, sessionId, lookupId, faultId, snapshotId])
      expectProblem(await service.client.get('/console/search', { id }), 404, 'REFERENCE_NOT_FOUND');
  });

  it('finds by a uuid alone, payments first', async () => {
    const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1);
    const byUuid = async (id: string) =>
      expectStatus(await service.client.get('/console/search', { id: uuidOf(id).toUpperCase() }), 200);
    expect(await byUuid(own.customerId)).toMatchObject({ kind: 'customer', id: own.customerId });
    expect(await byUuid(own.quoteId)).toMatchObject({ kind: 'transaction', id: own.transactionId });
  });

  it('finds nothing by what is no id', async () => {
    for (const id of ['x', 'Customer:', 'Platform:01a1f84e-cc35-73e8-b3e0-000000000001', "' or 1=1"])
      expectProblem(await service.client.get('/console/search', { id }), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await service.client.get('/console/search', {}), 400, 'INVALID_INPUT');
  });
});
