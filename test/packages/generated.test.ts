/** What is generated for @daybook/client was made from the document as it is now. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashOf, reducedDocument, routesOf } from '../../packages/client/generator/document.ts';
import { routes } from '../../packages/client/src/generated/routes.ts';

const folder = join(import.meta.dirname, '../../packages/client/src/generated');
const document = reducedDocument();

describe('the generated files of @daybook/client', () => {
  it.each(['types.ts', 'routes.ts'])(
    'are those of docs/openapi.json, else run npm run client:generate: %s',
    (name) => {
      const [head] = readFileSync(join(folder, name), 'utf8').split('\n');
      expect(head).toContain(hashOf(document));
    },
  );

  it('have every operation', () => {
    const operations = routesOf(document).map(({ operationId }) => operationId);
    expect(Object.keys(routes).toSorted()).toEqual(operations.toSorted());
  });

  it('know which operations have a key, and which are lists or streams', () => {
    expect(routes.createQuote).toHaveProperty('key', 'Idempotency-Key');
    expect(routes.redeemDeviceCode).toHaveProperty('key', 'Redemption-Key');
    expect(routes.createCustomer).not.toHaveProperty('key');
    expect(routes.listCustomers).toHaveProperty('isList', true);
    expect(routes.sandboxStreamEvents).toHaveProperty('isStream', true);
    expect(routes.getCustomerHistory).toHaveProperty('isList', true);
    expect(routes.getTrialBalance).not.toHaveProperty('isList');
  });
});
