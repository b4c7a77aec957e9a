/**
 * Compares the closings of a stream with what its events add up to. Each is folded from the one before, which was found
 * right, so that no more is held than between two closings.
 */
import { isDeepStrictEqual } from 'node:util';
import type { AnyAggregate, AnyEvent } from '../../kernel/aggregate.ts';
import { readExactly } from '../../kernel/exact-json.ts';
import { GrowingFilter } from '../../kernel/growing-filter.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Book, Closings, NewClosing } from './closings.ts';
import { type Folded, foldingOf } from './fold.ts';
import type { KeptClosing, KeptClosings } from './kept.ts';
import { closingOf } from './text.ts';

const pageMax = 1_000;
const closingsMax = 10;
/** Fields of one closing that are named. */
const fieldsMax = 20;

/** A closing that the events of its stream do not bear out, and in what. Values are not told: they may be personal. */
export type Difference = {
  readonly stream: string;
  readonly revision: number;
  readonly fields: readonly string[];
};

type Deps = {
  readonly store: Pick<EventStore, 'read'>;
  readonly kept: KeptClosings;
  readonly closings: Closings;
  /** Told how many events were read and closings compared since it was told last. */
  readonly progress: (events: number, closings: number) => void;
};

/**
 * The first difference, if there is one: what rests on it is not looked at. What other processes take out meanwhile is no
 * difference.
 */
export async function differenceIn(
  { store, kept, closings, progress }: Deps,
  aggregate: AnyAggregate,
  stream: string,
): Promise<Difference | undefined> {
  const rules = aggregate.closing;
  if (!rules) return undefined;
  const book: Book = { stream, version: rules.version };
  const folding = foldingOf<unknown, unknown, AnyEvent>(store, aggregate, closings);
  const filter = await filterOf(kept, book);
  if (!filter) return { stream, revision: -1, fields: ['filter'] };

  const foldUntil = async (from: Folded<unknown>, revision: number) => {
    let at: Folded<unknown> | undefined = from;
    while (at && at.revision < revision) {
      const page = await store.read(stream, at.revision + 1, Math.min(pageMax, revision - at.revision));
      if (page.length === 0) return undefined;
      progress(page.length, 0);
      at = await folding.fold(stream, at, page);
    }
    return at;
  };

  let at = await folding.read(stream, undefined, -1);
  for (;;) {
    const page = await kept.of(book, at.revision, closingsMax);
    for (const found of page) {
      const reached = await foldUntil(at, found.revision);
      const { eventId, position } = reached ?? {};
      const isThere = reached && eventId !== undefined && position !== undefined;
      const made = isThere ? closingOf(rules, { ...reached, eventId, position }) : undefined;
      const fields = made
        ? fieldsOf(made.closing, found, await kept.valuesAt(book, found.revision), filter)
        : ['revision'];
      if (fields.length > 0) {
        // Another process may have taken it out since.
        const [again] = await kept.of(book, found.revision - 1, 1);
        if (!isDeepStrictEqual(again, found))
          return differenceIn({ store, kept, closings, progress }, aggregate, stream);
        return { stream, revision: found.revision, fields: fields.slice(0, fieldsMax) };
      }
      if (reached && made) at = folding.after(reached, made.closed);
      progress(0, 1);
    }
    if (page.length < closingsMax) return undefined;
  }
}

async function filterOf(kept: KeptClosings, book: Book): Promise<GrowingFilter | undefined> {
  try {
    return GrowingFilter.of(await kept.filterOf(book));
  } catch {
    return undefined;
  }
}

function fieldsOf(
  made: NewClosing,
  found: KeptClosing,
  values: ReadonlyMap<string, string>,
  filter: GrowingFilter,
): readonly string[] {
  const keys = new Map(made.values);
  return [
    ...(found.eventId === made.eventId ? [] : ['eventId']),
    ...(found.previous === made.previous ? [] : ['previous']),
    ...(found.isSealed ? [] : ['digest']),
    ...differences(contentOf(found.state), contentOf(made.state), ''),
    ...[...new Set([...keys.keys(), ...values.keys()])]
      .filter((key) => !isSame(keys.get(key), values.get(key)))
      .map((key) => `values.${key}`),
    ...[...keys.keys()].filter((key) => !filter.mayHave(key)).map((key) => `filter.${key}`),
  ];
}

const isSame = (a: string | undefined, b: string | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && isDeepStrictEqual(contentOf(a), contentOf(b)));

const contentOf = (text: string): unknown => {
  try {
    return readExactly(text);
  } catch {
    return undefined;
  }
};

const membersOf = (value: unknown): ReadonlyMap<string, unknown> | undefined => {
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [String(key), one]));
  const isPlain = typeof value === 'object' && value !== null && !(value instanceof Date);
  return isPlain && !(value instanceof Set) ? new Map(Object.entries(value)) : undefined;
};

/** The paths of what is not the same in both. */
function differences(a: unknown, b: unknown, path: string): readonly string[] {
  if (isDeepStrictEqual(a, b)) return [];
  const [own, other] = [membersOf(a), membersOf(b)];
  if (!own || !other) return [path || 'state'];
  const names = new Set([...own.keys(), ...other.keys()]);
  return [...names].flatMap((name) =>
    differences(own.get(name), other.get(name), path ? `${path}.${name}` : name),
  );
}
