import { z } from 'zod';
import { badField } from '../../../kernel/rejected.ts';

const [shortest, longest] = [16, 255];

/** Of a client that wants its answer again where it is lost. */
export const redemptionKeyHeader = 'Redemption-Key';

export const redemptionHeaders = z.object({
  [redemptionKeyHeader]: z.string().min(shortest).max(longest).optional().meta({
    description:
      'Drawn at random by the client. After a lost answer the same redemption with the same key gives the same token, for a minute.',
  }),
});

/** Throws `Rejected` (400) for a key that is too short to be drawn at random, or too long. */
export function redemptionKeyOf(key: string | undefined): string | undefined {
  if (key === undefined || (key.length >= shortest && key.length <= longest)) return key;
  throw badField(redemptionKeyHeader, `must be from ${shortest} to ${longest} characters`);
}
