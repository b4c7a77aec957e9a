import { expect, it } from 'vitest';
import type { ReadDb } from '../../projections/database.ts';
import { createTokens } from '../../src/use-cases/tokens/tokens.ts';

/** Tokens in a table that answers when it is told to, and how often it was asked. */
function someTokens() {
  const asked: PromiseWithResolvers<undefined>[] = [];
  const question = {
    select: () => question,
    where: () => question,
    executeTakeFirst() {
      const answer = Promise.withResolvers<undefined>();
      asked.push(answer);
      return answer.promise;
    },
  };
  const records = { record: async () => undefined, recordLater: async () => undefined };
  const db = { selectFrom: () => question } as unknown as ReadDb;
  return { asked, tokens: createTokens(db, records) };
}

it('many requests that come with a token at once ask for it once', async () => {
  const { asked, tokens } = someTokens();
  const found = Array.from({ length: 20 }, () => tokens.find('client'));
  expect(asked).toHaveLength(1);
  asked[0]?.resolve(undefined);
  expect(new Set(await Promise.all(found))).toEqual(new Set([undefined]));
  await tokens.find('client');
  expect(asked).toHaveLength(1);
});

it('a request does not wait for what was asked before a change', async () => {
  const { asked, tokens } = someTokens();
  const former = tokens.find('client');
  tokens.forget();
  const next = tokens.find('client');
  expect(asked).toHaveLength(2);
  for (const { resolve } of asked) resolve(undefined);
  await Promise.all([former, next]);
});

it('a failed question is asked again', async () => {
  const { asked, tokens } = someTokens();
  const failed = tokens.find('client');
  asked[0]?.reject(new Error('away'));
  await expect(failed).rejects.toThrow('away');
  const next = tokens.find('client');
  expect(asked).toHaveLength(2);
  asked[1]?.resolve(undefined);
  await next;
});
