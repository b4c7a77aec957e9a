import { z } from 'zod';
import { onFile } from '../../kernel/on-file.ts';
import { alternativeKeywords, alternativeProblems } from './alternatives.ts';
import { type Beneficiary, beneficiarySchema } from './beneficiary.ts';
import { type PaymentRail, paymentRail } from './payment-rails.ts';

type Fields = Readonly<Record<string, z.ZodType>>;
type NameOf<F extends Fields> = keyof F & string;

/** What distinguishes one account type: a row of the table in account-types.ts. */
export type Columns<F extends Fields = Fields> = {
  readonly fields: F;
  /** The fields that can identify the account, the decisive one first. */
  readonly identifiers: readonly NameOf<F>[];
  /** Sets of optional fields of which at least one must be given whole; with `exclusive`, exactly one. */
  readonly alternatives?: readonly (readonly NameOf<F>[])[];
  readonly exclusive?: boolean;
  /** The rail of a payment that names none stands first, but for accounts that `railBy` names. */
  readonly rails: readonly PaymentRail[];
  /** By decisive identifiers that the first rail does not reach: the rail of a payment that names none. */
  readonly railBy?: Readonly<Partial<Record<NameOf<F>, PaymentRail>>>;
  /** Absent: the currency that the type is named after. */
  readonly currencies?: readonly string[] | 'any fiat';
  /** Fields that steer a payout and say nothing to someone who pays in. */
  readonly payoutOnly?: readonly NameOf<F>[];
};

/** `USD_ACCOUNT` gives `UsdAccount`. */
export const componentName = (accountType: string): string =>
  accountType
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');

/** An account type whose beneficiary must be named. */
export const payee = <const T extends string, F extends Fields>(accountType: T, columns: Columns<F>) =>
  defined(accountType, beneficiarySchema, columns);

/** An account type whose beneficiary may be left out. */
export const anonymous = <const T extends string, F extends Fields>(accountType: T, columns: Columns<F>) =>
  defined(accountType, beneficiarySchema.optional(), columns);

function defined<const T extends string, B extends z.ZodType<Beneficiary | undefined>, F extends Fields>(
  accountType: T,
  beneficiary: B,
  columns: Columns<F>,
) {
  const shape = { accountType: z.literal(accountType), ...columns.fields, beneficiary };
  const name = componentName(accountType);
  const alternatives = { sets: columns.alternatives ?? [], exclusive: columns.exclusive ?? false };
  return {
    ...columns,
    accountType,
    request: z
      .object(shape)
      .superRefine(
        (info, context) => {
          const given = new Set(
            Object.entries(info).flatMap(([field, value]) => (value === undefined ? [] : [field])),
          );
          for (const problem of alternativeProblems(alternatives, given)) {
            context.addIssue({ code: 'custom', ...problem });
          }
        },
        { when: ({ value }) => typeof value === 'object' && value !== null },
      )
      .meta({ id: `${name}Info`, ...alternativeKeywords(alternatives) }),
    response: onFile(z.object(shape))
      .extend({ paymentRails: z.array(paymentRail) })
      .meta({ id: `${name}InfoWithRails` }),
  };
}
