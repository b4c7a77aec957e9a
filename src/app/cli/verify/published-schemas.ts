/** The schemas of events as they are published in `docs/events/`. */
import { z } from 'zod';
import { eventSchemas } from '../../../domain/aggregates.ts';

/** JSON Schemas of `data` as it is stored, by type of event. */
export const publishedSchemas = (): ReadonlyMap<string, object> =>
  new Map(
    Object.entries(eventSchemas).map(([type, schema]) => {
      const stored = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
      return [type, { title: type, ...stored }];
    }),
  );
