import { describe, expect, it } from 'vitest';
import { parse, UsageError } from '../../../src/app/cli/accounts/usage.ts';
import { accountId, externalAccountId, transactionId } from '../../support/builders/identities.ts';

const reason = ['--reason', 'Court order 7'];

describe('the command line of accounts', () => {
  it.each([
    [['freeze', accountId, ...reason], { command: 'internal', account: accountId, status: 'FROZEN' }],
    [['unfreeze', accountId, ...reason], { command: 'internal', account: accountId, status: 'ACTIVE' }],
    [['activate', externalAccountId, ...reason], { command: 'external', status: 'ACTIVE' }],
    [['review', externalAccountId, ...reason], { command: 'external', status: 'UNDER_REVIEW' }],
    [['deactivate', externalAccountId, ...reason], { command: 'external', status: 'INACTIVE' }],
  ])('takes %j', (args, expected) => {
    expect(parse(args, 'ada')).toMatchObject({
      ...expected,
      reason: 'Court order 7',
      actor: 'operator:ada',
    });
  });

  it('takes another actor, and shows either kind of account without a reason', () => {
    expect(parse(['freeze', accountId, ...reason, '--actor', 'grace'], 'ada')).toMatchObject({
      actor: 'operator:grace',
    });
    for (const account of [accountId, externalAccountId])
      expect(parse(['show', account], 'ada')).toEqual({ command: 'show', account });
  });

  it.each([
    [[]],
    [['freeze']],
    [['thaw', accountId, ...reason]],
    [['constructor', accountId, ...reason]],
    [['freeze', externalAccountId, ...reason]],
    [['activate', accountId, ...reason]],
    [['show', transactionId]],
    [['freeze', accountId]],
    [['freeze', accountId, '--reason', ' ']],
    [['freeze', accountId, '--reason', 'x'.repeat(1_001)]],
    [['freeze', accountId, accountId, ...reason]],
    [['freeze', accountId, ...reason, '--force']],
  ])('does not take %j', (args) => {
    expect(() => parse(args, 'ada')).toThrow(UsageError);
  });
});
