/** What identifiers of a sandbox follow from. */
import { z } from 'zod';

export const sandboxSeed = z.string().min(1).max(100).optional();

type Variables = {
  readonly DAYBOOK_ENVIRONMENT: string;
  readonly DAYBOOK_SANDBOX_SEED?: string | undefined;
};

/** What follows from a seed is known before it is given. */
export const checkSeed = z.superRefine<Variables>((env, context) => {
  if (env.DAYBOOK_ENVIRONMENT !== 'production' || env.DAYBOOK_SANDBOX_SEED === undefined) return;
  const message = 'must be unset in production: identifiers would be known before they are given';
  context.addIssue({ code: 'custom', path: ['DAYBOOK_SANDBOX_SEED'], message });
});
