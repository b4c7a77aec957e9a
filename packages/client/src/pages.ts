/** Lists, page by page or item by item. */

export type Page<Item> = {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
  readonly nextCursor?: string;
  readonly totalCount: number;
};

/** Awaited, it is the first page; iterated, every item of all pages, each page being asked for when it is needed. */
export type Pages<Item> = PromiseLike<Page<Item>> & AsyncIterable<Item>;

/** Asks for nothing until it is awaited or iterated. Iterating throws where a page does not say how the list goes on. */
export function pagesOf<Item>(ask: (cursor: string | undefined) => Promise<Page<Item>>): Pages<Item> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is awaited for its first page
    then: (done, failed) => ask(undefined).then(done, failed),
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
