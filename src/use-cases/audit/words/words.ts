import type { z } from 'zod';
import type { EventSchemas } from '../../../kernel/codecs.ts';

/** A sentence for each type of event. It says no personal data and nothing of another platform. */
export type WordsFor<S extends EventSchemas> = {
  readonly [T in keyof S]: (data: z.output<S[T]>) => string;
};
