/** Lists, page by page or item by item. */

export type Page<Item> = {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
  readonly nextCursor?: string;
  readonly totalCount: number;
};

/**
 * Awaited, it is the first page, which has what else the list tells; iterated, every item of all pages, each page being
 * asked for when it is needed.
 */
export type Pages<Item, First = Page<Item>> = Promise<First> & AsyncIterable<Item>;

/** Where a list goes on; not every one counts its items. */
type Part<Item> = Omit<Page<Item>, 'totalCount'>;

/** Asks for nothing until it is awaited or iterated. Iterating throws where a page does not say how the list goes on. */
export function pagesOf<Item, First extends Part<Item>>(
  ask: (cursor: string | undefined) => Promise<First>,
): Pages<Item, First> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is awaited for its first page
    then: (done, failed) => ask(undefined).then(done, failed),
    catch: (failed) => ask(undefined).catch(failed),
    finally: (ended) => ask(undefined).finally(ended),
    [Symbol.toStringTag]: 'Pages',
    async *[Symbol.asyncIterator]() {
      for (let cursor: string | undefined; ; ) {
        const page = await ask(cursor);
        yield* page.data;
        if (!page.hasMore) return;
        if (page.nextCursor === undefined || page.nextCursor === cursor)
          throw new Error('a list says that there is more, and not where it goes on');
        cursor = page.nextCursor;
      }
    },
  };
}
