import { describe, expect, it } from 'vitest';
import { bounds } from '../../../src/domain/values/bounds.ts';
import { decisionOf } from '../../../src/workers/webhooks/approval.ts';
import { excerptMaxBytes } from '../../../src/workers/webhooks/send.ts';
import { testStart as at } from '../../support/time/clock.ts';

const answer = (status: number, text?: string, more: object = {}) =>
  decisionOf({ status, latencyMs: 1, ...(text !== undefined && { excerpt: text, text }), ...more }, at);
const said = (receiverCustomerInfo: unknown) => answer(200, JSON.stringify({ receiverCustomerInfo }));
const error = { type: 'FailApproval', reason: 'PAYMENT_APPROVAL_WEBHOOK_ERROR', at };

describe('an answer of 200', () => {
  it.each([[''], ['ok'], ['{}'], ['null'], ['{"receiverCustomerInfo":null}']])(
    'approves without a word on the receiver: %s',
    (text) => {
      const { type, isLastWord, ...rest } = answer(200, text) as never as Record<string, unknown>;
      expect([type, isLastWord, rest]).toEqual(['ApprovePayment', true, { at }]);
    },
  );

  it('approves with what it says of the receiver', () => {
    const receiverCustomerInfo = { FULL_NAME: 'Grace Hopper' };
    expect(said(receiverCustomerInfo)).toEqual({
      type: 'ApprovePayment',
      receiverCustomerInfo,
      isLastWord: true,
      at,
    });
  });

  it.each(['Grace\\u0000', 'Grace\\ud800'])(
    'approves without a word on the receiver where it cannot be stored: %s',
    (name) => {
      const text = `{"receiverCustomerInfo":{"NICKNAME":"${name}"}}`;
      expect(answer(200, text)).toEqual({ type: 'ApprovePayment', isLastWord: true, at });
    },
  );

  const tooMany = Object.fromEntries(
    Array.from({ length: bounds.customerInfoEntries + 1 }, (_, n) => [`F${n}`, '']),
  );
  it.each<[string, unknown]>([
    ['a list', ['Grace']],
    ['a text', 'Grace'],
    ['a number in it', { FULL_NAME: 7 }],
    ['an object in it', { FULL_NAME: {} }],
    ['too long a value', { FULL_NAME: 'x'.repeat(bounds.customerInfoValue + 1) }],
    ['too many entries', tooMany],
  ])('is an error where what it says is %s', (_what, info) => expect(said(info)).toEqual(error));

  it('is an error where it did not come whole, whatever its beginning says', () => {
    expect(answer(200, undefined, { excerpt: '{"receiverCustomerInfo":{"FULL_NAME":"Gr' })).toEqual(error);
    expect(answer(200, undefined, { excerpt: '{}' })).toEqual(error);
  });

  it('is too late where it did not come whole in time', () => {
    const late = { ...error, reason: 'PAYMENT_APPROVAL_TIMED_OUT' };
    expect(answer(200, undefined, { timedOut: true })).toEqual(late);
  });
});

describe('an answer of 403', () => {
  const rejects = (note: string | undefined) => ({ type: 'RejectPayment', note, at });
  const long = JSON.stringify({ trace: 'x'.repeat(excerptMaxBytes), reason: 'over the limit' });
  const beginning = long.slice(0, excerptMaxBytes);

  it('rejects with its reason, also where that stands beyond what is kept of an answer', () => {
    expect(answer(403, long, { excerpt: beginning })).toEqual(rejects('over the limit'));
  });

  it('rejects with what came of it, where it did not come whole', () => {
    const excerpt = JSON.stringify({ message: 'no' });
    expect(answer(403, undefined, { excerpt })).toEqual(rejects('no'));
    expect(answer(403, undefined, { excerpt: beginning })).toEqual(rejects(undefined));
  });
});
