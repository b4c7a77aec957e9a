/** What streams of events take. */
import { z } from 'zod';

/** A stream ends after so long at the most; who comes back has to be somebody who still may. */
export const streamMaxSeconds = 300;
const rule = `must be an integer from 1 to ${streamMaxSeconds}`;

/** How long a stream goes on, and how long where nobody says. */
export const streamSeconds = (usual: number) =>
  z
    .string()
    .regex(/^\d{1,3}$/, rule)
    .transform(Number)
    .refine((seconds) => seconds >= 1 && seconds <= streamMaxSeconds, rule)
    .default(usual)
    .meta({ override: { type: 'integer', minimum: 1, maximum: streamMaxSeconds, default: usual } });
