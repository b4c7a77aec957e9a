/** Matchers for vitest: add this file to `setupFiles`. */
import './node-24.ts';
import { DaybookError } from '@daybook/client';
import type { WebhookType } from '@daybook/client/webhooks';
import { expect } from 'vitest';
import type { Books } from './books.ts';
import type { TestPlatform } from './platform.ts';
import { type Match, NotTold } from './webhook.ts';

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** Of the books of a platform: in every currency the accounts add up to zero. */
    toBeBalanced(): Promise<void>;
    /** Of a call that has been made: the service refuses it with this code. */
    toBeRefusedWith(code: string): Promise<void>;
    /** Of a platform: it is told this within ten seconds; with `not`, it has not been told this so far. */
    toBeTold<Type extends WebhookType>(type: Type, match?: Match<Type>): Promise<void>;
  }
}

expect.extend({
  async toBeBalanced(books: Books) {
    const lines = await books.unbalanced();
    return {
      pass: lines.length === 0,
      message: () =>
        lines.length === 0
          ? 'the books add up to zero'
          : `the books do not add up to zero: ${JSON.stringify(lines)}`,
    };
  },

  async toBeRefusedWith(call: PromiseLike<unknown>, code: string) {
    if (typeof call?.then !== 'function')
      throw new TypeError('toBeRefusedWith is of a call that has been made: expect(client.transferOut(…))');
    const [answer] = await Promise.allSettled([call]);
    const error: unknown = answer?.status === 'rejected' ? answer.reason : undefined;
    if (answer?.status === 'rejected' && !(error instanceof DaybookError)) throw error;
    const said =
      answer?.status === 'fulfilled' ? `it was answered ${JSON.stringify(answer.value)}` : String(error);
    return {
      pass: error instanceof DaybookError && error.code === code,
      message: () => `expected ${this.isNot ? 'no ' : ''}refusal with ${code}: ${said}`,
    };
  },

  async toBeTold<Type extends WebhookType>(
    { webhook }: Pick<TestPlatform, 'webhook'>,
    type: Type,
    match?: Match<Type>,
  ) {
    const told = await webhook(type, match, this.isNot ? 0 : undefined).catch((error: unknown) => {
      if (error instanceof NotTold) return error;
      throw error;
    });
    const message = told instanceof NotTold ? told.message : `it was told ${JSON.stringify(told)}`;
    return { pass: !(told instanceof NotTold), message: () => message };
  },
});
