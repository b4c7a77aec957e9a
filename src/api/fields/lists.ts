/** What the lists of the interface have in common (docs/reference/pagination.md). */
import { z } from 'zod';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { lastMoment, moment, namedPageOf, pageQuery } from './fields.ts';

/** Filters by the time a resource was created, both bounds inclusive. */
export const createdWithin = { createdAfter: moment.optional(), createdBefore: lastMoment.optional() };

/** Filters by the times a resource was created and last changed, all bounds inclusive. */
export const changedWithin = {
  ...createdWithin,
  updatedAfter: moment.optional(),
  updatedBefore: lastMoment.optional(),
};

/** The members of an operation that lists: who may, its filters and pages, and what a bad filter is refused with. */
export const listOf = <Item extends z.ZodType, Filters extends z.core.$ZodLooseShape>(
  item: Item,
  description: string,
  filters: Filters,
) =>
  ({
    method: 'get',
    isList: true,
    permission: ['VIEW'],
    query: z.object(filters).extend(pageQuery),
    responses: { 200: { description, schema: namedPageOf(item) } },
    errors: basicErrors({ 400: ['INVALID_INPUT'] }),
  }) as const;
