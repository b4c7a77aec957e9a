import { describe, expect, it } from 'vitest';
import { askedOf } from '../../../src/app/cli/commands/account-change.ts';
import { userOfMachine } from '../../../src/app/cli/commands/bounded.ts';
import { UsageError } from '../../../src/app/cli/usage-error.ts';
import { accountId, externalAccountId, transactionId } from '../../support/builders/identities.ts';

const because = { reason: 'Court order 7' };

/** In a container that runs as a number without a name. */
const nobody = (): string => {
  throw new Error('uv_os_get_passwd returned ENOENT');
};

describe('what an operator asks for of an account', () => {
  it.each([
    ['freeze', accountId, { command: 'internal', account: accountId, status: 'FROZEN' }],
    ['unfreeze', accountId, { command: 'internal', account: accountId, status: 'ACTIVE' }],
    ['activate', externalAccountId, { command: 'external', status: 'ACTIVE' }],
    ['review', externalAccountId, { command: 'external', status: 'UNDER_REVIEW' }],
    ['deactivate', externalAccountId, { command: 'external', status: 'INACTIVE' }],
  ])('may be to %s it', (command, account, expected) => {
    expect(askedOf(command, account, because, () => 'ada')).toMatchObject({
      ...expected,
      ...because,
      actor: 'operator:ada',
    });
  });

  it('takes another actor, and shows either kind of account without a reason', () => {
    expect(askedOf('freeze', accountId, { ...because, actor: 'grace' }, nobody)).toMatchObject({
      actor: 'operator:grace',
    });
    expect(askedOf('show', accountId, {}, nobody)).toMatchObject({ command: 'show' });
    expect(userOfMachine(nobody)).toBe(`uid ${process.getuid?.()}`);
    expect(askedOf('freeze', accountId, { ...because, actor: 'grace' }, () => 'ada')).toMatchObject({
      actor: 'operator:grace',
    });
    for (const account of [accountId, externalAccountId])
      expect(askedOf('show', account, {}, () => 'ada')).toEqual({ command: 'show', account });
  });

  it.each<[string, string, object]>([
    ['thaw', accountId, because],
    ['constructor', accountId, because],
    ['freeze', externalAccountId, because],
    ['activate', accountId, because],
    ['show', transactionId, {}],
    ['freeze', accountId, {}],
    ['freeze', accountId, { reason: ' ' }],
    ['freeze', accountId, { reason: 'x'.repeat(1_001) }],
    ['freeze', accountId, { ...because, actor: '' }],
  ])('is not to %s %s with %j', (command, account, options) => {
    expect(() => askedOf(command, account, options, () => 'ada')).toThrow(UsageError);
  });
});
