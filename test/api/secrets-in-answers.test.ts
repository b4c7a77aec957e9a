import { describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { send } from '../support/http/send.ts';
import {
  type DocumentedOperation,
  documented,
  filled,
  resolved,
  type Schema,
  titled,
} from '../support/interface/interface.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { everyPermission } from '../support/resources/tokens.ts';

const service = serviceOfTests();

/** What a member is called that is a secret or contains one; also codes that are none. */
const secretName = /secret|token$|^code$|encrypted|text$/i;

/** The names of all members that an answer may have, at any depth. */
function namesIn(schema: Schema, seen = new Set<Schema>()): string[] {
  const at = resolved(schema);
  if (typeof at !== 'object' || at === null || seen.has(at)) return [];
  seen.add(at);
  const own = Object.keys(at.properties ?? {});
  return [...own, ...Object.values<Json>(at).flatMap((one) => namesIn(one, seen))];
}

const answersSecret = ({ responses }: DocumentedOperation): boolean =>
  Object.entries(responses).some(
    ([status, response]) =>
      status.startsWith('2') && namesIn(resolved(response)).some((name) => secretName.test(name)),
  );
const secretive = documented.filter(answersSecret);

describe('an answer that carries a secret', () => {
  it('is found by the names in its schema', () => {
    const found = secretive.map(({ operationId }) => operationId);
    expect(found).toEqual(
      expect.arrayContaining([
        'createToken',
        'createAgent',
        'createDeviceCode',
        'redeemDeviceCode',
        'verifyAuthCredential',
        'refreshAuthSession',
        'exportInternalAccount',
        'getWebhookKeys',
        'rotateWebhookKeys',
        'sandboxListEmails',
        'sandboxOidcToken',
      ]),
    );
  });

  it('is kept by nobody on its way', async () => {
    const body = { name: 'kept by nobody', permissions: everyPermission };
    const { status, headers } = await service.client.post('/tokens', body);
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
  });
});

describe('whatever is answered', () => {
  it.each(titled(documented))('to %s is kept by nobody on its way', async (id, { method, path }) => {
    const target = filled(path, () => 'nothing');
    // A stream ends when its time is over.
    const { headers } = await send(
      service,
      method,
      ['sandboxStreamEvents', 'watchTransactions'].includes(id) ? `${target}?seconds=1` : target,
    );
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
