import { expect, it } from 'vitest';
import { stockOf } from '../../packages/testing/src/stock.ts';

it('a stock is closed when nothing is being made any more, for whoever has asked either', async () => {
  const makings: PromiseWithResolvers<number>[] = [];
  const stock = stockOf(() => {
    const making = Promise.withResolvers<number>();
    makings.push(making);
    return making.promise;
  }, 2);
  const taken = stock.take();
  expect(makings).toHaveLength(3);
  let isClosed = false;
  const closed = stock.close().then(() => {
    isClosed = true;
  });
  const [first, ...others] = makings;
  for (const { resolve } of others) resolve(2);
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  first?.resolve(1);
  await closed;
  expect(await taken).toBe(1);
  await expect(stock.take()).rejects.toThrow('the service was stopped');
});
