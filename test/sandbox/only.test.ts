import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/api/operation.ts';
import { type Route, route } from '../../src/api/operation.ts';
import { getConfig } from '../../src/api/platforms/operations.ts';
import { forSandboxPlatforms } from '../../src/api/sandbox/only.ts';
import { fundInternalAccount, receivePayment, sendFunds } from '../../src/api/sandbox/operations.ts';
import { platformId } from '../support/builders/identities.ts';

/** What becomes of a request whose token says sandbox, on a platform of an environment. */
function answerOf(operation: Operation, environment: 'sandbox' | 'production') {
  const answering: Route = route(operation, async () => ({ status: 200 }));
  const { handle } = forSandboxPlatforms(async () => environment)(answering);
  const principal = { platformId, environment: 'sandbox', permissions: ['TRANSACT'], actor: 'token:1' };
  return handle({ principal, header: () => undefined } as never, undefined as never);
}

describe('an operation of the sandbox', () => {
  it.each([fundInternalAccount, sendFunds, receivePayment])(
    'is refused to a platform of production, whatever its token says: $operationId',
    async (operation) => {
      await expect(answerOf(operation, 'production')).rejects.toMatchObject({ code: 'FORBIDDEN' });
      expect(await answerOf(operation, 'sandbox')).toEqual({ status: 200 });
    },
  );

  it('is not any other', async () => {
    expect(await answerOf(getConfig, 'production')).toEqual({ status: 200 });
  });
});
