/** Filters of lists by time. */
import { expressionBuilder } from 'kysely';

/** When a resource was created; both bounds are inclusive. */
export type CreatedWithin = {
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
};

/** When a resource was created, and when it was last changed; all bounds are inclusive. */
export type ChangedWithin = CreatedWithin & {
  readonly updatedAfter?: Date | undefined;
  readonly updatedBefore?: Date | undefined;
};

type Dated = { dated: { created_at: Date; updated_at: Date } };

/** The condition for it, on the columns `created_at` and `updated_at` of whichever table is selected from. */
export function within({ createdAfter, createdBefore, updatedAfter, updatedBefore }: ChangedWithin) {
  const column = expressionBuilder<Dated, 'dated'>();
  const conditions = [
    createdAfter && column('created_at', '>=', createdAfter),
    createdBefore && column('created_at', '<=', createdBefore),
    updatedAfter && column('updated_at', '>=', updatedAfter),
    updatedBefore && column('updated_at', '<=', updatedBefore),
  ];
  return column.and(conditions.filter((condition) => condition !== undefined));
}
