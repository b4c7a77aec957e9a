/** Pieces of request and response schemas that more than one module needs. */
import { z } from 'zod';
import { bounds } from '../../domain/values/bounds.ts';
import { stringify } from '../../kernel/json.ts';
import { isOfCalendar } from '../../kernel/moments.ts';
import { int64Max } from '../../kernel/money.ts';

/** An integer in minor units on the wire; `bigint` in the code. JSON numbers of any size stay exact (`json.ts`). */
const integer = (message: string) =>
  z
    .custom<number | bigint>((value) => typeof value === 'bigint' || Number.isSafeInteger(value), {
      error: ({ input }) => (input === undefined ? 'is required' : message),
      // What depends on other fields is looked at all the same.
      abort: false,
    })
    .transform((value) => BigInt(value));

/** What the format says is not said again: a number of JavaScript does not hold it, and is more than it. */
const atMost = (max: bigint) => (max < int64Max ? { maximum: Number(max) } : {});

const description = 'In the smallest unit of the currency.';

/** An amount in a request that may be zero. */
export const amountUpTo = (max: bigint) =>
  integer('must be an integer in the smallest unit of the currency')
    .refine((value) => value >= 0n && value <= max, `must be from 0 to ${max}`)
    .meta({ override: { type: 'integer', format: 'int64', minimum: 0, ...atMost(max), description } });

/** An int64 in a response. */
export const int64 = z
  .custom<bigint>(
    (value) => typeof value === 'bigint' && value <= int64Max && value >= -int64Max,
    'not an int64',
  )
  .meta({ override: { type: 'integer', format: 'int64' } });

/** A positive amount in a request. A bad one is `INVALID_AMOUNT` when nothing else is wrong (`amount-fields.ts`). */
export const positiveAmount = (max: bigint) =>
  integer('must be an integer in the smallest unit of the currency')
    .refine((value) => value >= 1n && value <= max, `must be from 1 to ${max}`)
    .meta({ override: { type: 'integer', format: 'int64', minimum: 1, ...atMost(max), description } });

/** A sum of many amounts, which int64 does not bound. */
export const wholeNumber = z
  .custom<bigint>((value) => typeof value === 'bigint', 'not an integer')
  .meta({ override: { type: 'integer' } });

export const timestamp = z.iso.datetime().meta({ description: 'ISO 8601 date and time, UTC.' });

/** Any moment, with any offset. */
const anyDateTime = z.iso.datetime({ offset: true }).max(bounds.moment);

/** A moment in a request that is recorded, with any offset. */
export const dateTime = anyDateTime.refine(
  (text) => isOfCalendar(new Date(text)),
  'must be in one of the years 1 to 9999, in UTC',
);
export const dateTimeSchema = { type: 'string', format: 'date-time', maxLength: bounds.moment } as const;

/** Its alternatives say their formats: a bare date is no date-time. */
const periodSchema = { type: 'string', maxLength: bounds.moment } as const;

/** The moment that begins a period: with any offset, or a bare date, which means its midnight UTC. */
export const moment = z
  .union([anyDateTime, z.iso.date()])
  .transform((text) => new Date(text))
  .meta({ override: periodSchema });

/** The last moment of a period: with any offset, or a bare date, whose whole day in UTC belongs to the period. */
export const lastMoment = z
  .union([anyDateTime, z.iso.date().transform((date) => `${date}T23:59:59.999Z`)])
  .transform((text) => new Date(text))
  .meta({ override: periodSchema });

/** How many items a page has at most, and how many where nobody says. */
export const pageItems = { max: 100, usual: 20 } as const;
const pageRule = `must be an integer from 1 to ${pageItems.max}`;

export const pageQuery = {
  limit: z
    .string()
    .regex(/^\d{1,3}$/, pageRule)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= pageItems.max, pageRule)
    .default(pageItems.usual)
    .meta({ override: { type: 'integer', minimum: 1, maximum: pageItems.max, default: pageItems.usual } }),
  cursor: z.string().min(1).max(1024).optional(),
};

export const queryBoolean = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({
    override({ jsonSchema }) {
      jsonSchema.type = 'boolean';
      delete jsonSchema.enum;
    },
  });

/** A page of results (docs/reference/pagination.md). */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    hasMore: z.boolean(),
    nextCursor: z.string().optional(),
    totalCount: z.int().min(0),
  });

const named = new WeakMap<z.ZodType, z.ZodType>();

/** The same under the name of its items, once for each. */
export function namedPageOf<T extends z.ZodType>(item: T): ReturnType<typeof pageOf<T>> {
  const known = named.get(item) as ReturnType<typeof pageOf<T>> | undefined;
  const page = known ?? pageOf(item).meta({ id: `${item.meta()?.id}Page` });
  named.set(item, page);
  return page;
}

type Page<Row> = {
  readonly rows: readonly Row[];
  readonly nextCursor?: string;
  readonly totalCount: number;
};

export const renderPage = <Row, Item>(
  { rows, nextCursor, totalCount }: Page<Row>,
  render: (row: Row) => Item,
) => ({
  data: rows.map(render),
  hasMore: nextCursor !== undefined,
  ...(nextCursor !== undefined && { nextCursor }),
  totalCount,
});

/** The same as JSON, of items that are JSON already. */
export function writePage<Row>(page: Page<Row>, write: (row: Row) => string): string {
  const { data, ...rest } = renderPage(page, write);
  return `{"data":[${data.join(',')}],${stringify(rest).slice(1)}`;
}

/** Drops members without a value: absent optional fields are left out, not null. */
export function present<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept: Partial<T> = {};
  for (const key in value) if (value[key] !== undefined) kept[key] = value[key];
  return kept as { [K in keyof T]: Exclude<T[K], undefined> };
}
