/** Tables of things, with a caption and a way to the next page. */
import type { Page } from '@daybook/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Loaded, useLoad } from '../data/load.ts';
import { Empty, Shown } from './states.tsx';

export type Column<Item> = {
  readonly name: string;
  readonly cell: (item: Item) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Left out where there is little room. */
  readonly isMinor?: boolean;
};

type TableProps<Item> = {
  readonly caption: string;
  readonly columns: readonly Column<Item>[];
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly empty: ComponentChildren;
};

const classOf = <Item,>({ isNumber, isMinor }: Column<Item>) =>
  [isNumber && 'number', isMinor && 'minor'].filter(Boolean).join(' ');

export function Table<Item>({ caption, columns, items, keyOf, empty }: TableProps<Item>) {
  if (items.length === 0) return <Empty>{empty}</Empty>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section class="scroll" tabIndex={0} aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={classOf(column)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map((column) => (
                <td key={column.name} class={classOf(column)}>
                  {column.cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export type Paged<Item> = {
  readonly loaded: Loaded<Page<Item>>;
  readonly next: (cursor: string) => void;
  readonly first: (() => void) | undefined;
};

/** Which page of a list is asked for: the first one where there is no cursor. */
type PageAsked = { readonly cursor?: string };

/** A list page by page; another `key` begins at the first one. */
export function usePaged<Item>(
  key: string,
  ask: (page: PageAsked, signal: AbortSignal) => PromiseLike<Page<Item>>,
  options: { readonly everyMs?: number } = {},
): Paged<Item> {
  const [at, setAt] = useState<{ key: string; cursor?: string }>({ key });
  const cursor = at.key === key ? at.cursor : undefined;
  const loaded = useLoad(
    `${key} ${cursor ?? ''}`,
    (signal) => ask(cursor ? { cursor } : {}, signal),
    options,
  );
  return {
    loaded,
    next: (next) => setAt({ key, cursor: next }),
    first: cursor === undefined ? undefined : () => setAt({ key }),
  };
}

/** The ways to other pages of a list. */
export const OtherPages = <Item,>({ of: { loaded, next, first } }: { of: Paged<Item> }) => {
  const { hasMore = false, nextCursor } = loaded.value ?? {};
  if (!first && !hasMore) return null;
  return (
    <p class="row">
      {first && (
        <button type="button" onClick={first}>
          First page
        </button>
      )}
      {hasMore && nextCursor && (
        <button type="button" onClick={() => next(nextCursor)}>
          Next page
        </button>
      )}
    </p>
  );
};

type ListProps<Item> = Omit<TableProps<Item>, 'items'> & { readonly of: Paged<Item> };

export const List = <Item,>({ of, ...table }: ListProps<Item>) => (
  <Shown of={of.loaded}>
    {({ data }) => (
      <>
        <Table items={data} {...table} />
        <OtherPages of={of} />
      </>
    )}
  </Shown>
);
