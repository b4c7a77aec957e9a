import { describe, expect, it } from 'vitest';
import { requireSandbox } from '../../src/api/sandbox/only.ts';
import type { Principal } from '../../src/use-cases/caller.ts';
import { platformId } from '../support/builders/identities.ts';

/** What becomes of a request of a token, on a platform of an environment. */
const asked = (token: Principal['environment'], platform: Principal['environment']) =>
  requireSandbox(async () => platform, {
    platformId,
    environment: token,
    permissions: ['TRANSACT'],
    actor: 'token:1',
  });

describe('an operation of the sandbox', () => {
  it('is there for a token and a platform of the sandbox', () =>
    expect(asked('sandbox', 'sandbox')).resolves.toBeUndefined());

  it.each([
    ['sandbox', 'production'],
    ['production', 'sandbox'],
    ['production', 'production'],
  ] as const)('is refused to a token of %s on a platform of %s', (token, platform) =>
    expect(asked(token, platform)).rejects.toMatchObject({ code: 'FORBIDDEN' }),
  );
});
