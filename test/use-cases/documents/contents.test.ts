import { describe, expect, it, vi } from 'vitest';
import type { Pool } from '../../../src/infrastructure/postgres/pool.ts';
import { createDocumentContents } from '../../../src/use-cases/documents/contents.ts';

const never = () => {
  throw new Error('nobody asks for this');
};

/** Of statements that end when a test says so. */
function contentsOf() {
  const underWay: PromiseWithResolvers<unknown>[] = [];
  const query = () => {
    const statement = Promise.withResolvers<unknown>();
    underWay.push(statement);
    return statement.promise;
  };
  const contents = createDocumentContents({
    pool: { query } as unknown as Pool,
    commands: { load: never },
    ids: {} as never,
    now: never,
  });
  return { contents, underWay };
}

describe('pieces of documents that are uploaded at the same time', () => {
  it('are written one after the other, whatever becomes of those before', async () => {
    const { contents, underWay } = contentsOf();
    const [first, second, third] = ['a', 'b', 'c'].map((id) => contents.append(id, 0, new Uint8Array(1)));
    await vi.waitFor(() => expect(underWay).toHaveLength(1));
    underWay[0]?.reject(new Error('the store is away'));
    await expect(first).rejects.toThrow('the store is away');
    await vi.waitFor(() => expect(underWay).toHaveLength(2));
    underWay[1]?.resolve({});
    await second;
    await vi.waitFor(() => expect(underWay).toHaveLength(3));
    underWay[2]?.resolve({});
    await third;
  });
});
