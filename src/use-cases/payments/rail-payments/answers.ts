/** What a rail may say. A module is held to it as a service is: its types bind nobody at run time. */
import { z } from 'zod';
import { externalAccountStatuses, verificationStatuses } from '../../../domain/external-accounts/events.ts';
import { payerFieldNames } from '../../../domain/lookups/payer-fields.ts';
import { failureReasons } from '../../../domain/payments/events.ts';
import type {
  Ending,
  NameCheck,
  OutsideReceiver,
  RailStatus,
  Submission,
} from '../../../domain/ports/payment-rail.ts';
import { isObject, isStorable } from '../../../kernel/json.ts';
import { isOfCalendar } from '../../../kernel/moments.ts';

/** All of it is recorded, so all of it has to be what an event can have. */
const text = z.string().refine(isStorable, 'has NUL or half of a surrogate pair');
const checkAt = z.date().refine(isOfCalendar, 'is in none of the years 1 to 9999').optional();
const reason = z.enum(failureReasons, { error: ({ input }) => `${JSON.stringify(input)} is no reason` });

const endings = [
  z.object({ status: z.literal('settled'), checkAt }),
  // A module in JavaScript may leave out whether the refund fails, as a service may.
  z.object({ status: z.literal('failed'), reason, refundFails: z.boolean().default(false) }),
  z.object({ status: z.literal('rejected'), reason }),
  z.object({ status: z.literal('cancelled') }),
  z.object({ status: z.literal('returned'), reason }),
] as const;
const accepted = z.object({
  status: z.literal('accepted'),
  reference: text.min(1),
  underway: z.boolean(),
  checkAt,
});
const ending = z.discriminatedUnion('status', endings, {
  error: ({ input }) => `${JSON.stringify(isObject(input) ? input.status : input)} is no ending`,
});

/** As it was said, without what else stands in it. Throws for what is none, and says why. */
const heldTo =
  <Answer>(schema: z.ZodType<Answer>) =>
  (said: unknown): Answer => {
    const read = schema.safeParse(said);
    if (read.success) return read.data;
    const why = read.error.issues.map(({ path, message }) => `${path.join('.') || 'all of it'}: ${message}`);
    throw new Error(`the rail says what is none of its answers: ${why.join('; ')}`);
  };

export const requireEnding = heldTo<Ending>(ending);
/** Of an answer to `statusOf` or `withdraw`. */
export const requireStatus = heldTo<RailStatus>(
  z.discriminatedUnion('status', [accepted, ...endings, z.object({ status: z.literal('unknown') })]),
);
export const requireSubmission = heldTo<Submission>(
  z.discriminatedUnion('status', [accepted, z.object({ status: z.literal('ended'), ending })]),
);
export const requireNameCheck = heldTo<NameCheck | undefined>(
  z.object({ status: z.enum(verificationStatuses), fullName: text.optional() }).optional(),
);
export const requireStatusOfNew = heldTo(z.enum(externalAccountStatuses));
export const requireReceiver = heldTo<OutsideReceiver | undefined>(
  z
    .object({
      currencies: z.array(text),
      requiredPayerDataFields: z.array(z.object({ name: z.enum(payerFieldNames), mandatory: z.boolean() })),
      information: z.record(text, text).optional(),
    })
    .optional(),
);
