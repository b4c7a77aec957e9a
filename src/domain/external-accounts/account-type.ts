import { z } from 'zod';
import { type Beneficiary, beneficiarySchema } from './beneficiary.ts';

export const paymentRail = z
  .enum([
    'ACH',
    'WIRE',
    'RTP',
    'FEDNOW',
    'BANK_TRANSFER',
    'SEPA',
    'SEPA_INSTANT',
    'FASTER_PAYMENTS',
    'SPEI',
    'PIX',
    'MOBILE_MONEY',
    'UPI',
    'NEFT',
    'RTGS',
    'PAYNOW',
    'FAST',
    'SWIFT',
  ])
  .meta({ id: 'PaymentRail' });
export type PaymentRail = z.output<typeof paymentRail>;

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
  /** The rail of a payment that names none stands first. */
  readonly rails: readonly PaymentRail[];
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
    response: z.object({ ...shape, paymentRails: z.array(paymentRail) }).meta({ id: `${name}InfoWithRails` }),
  };
}

type Problem = { readonly path: string[]; readonly message: string };

/** Sets of fields of which at least one must be given whole; with `exclusive`, exactly one. */
type Alternatives = { readonly sets: readonly (readonly string[])[]; readonly exclusive: boolean };

/**
 * What is wrong with the `given` fields: one problem for each field missing from the set that was begun (from the
 * first set when none was), or one for each surplus set.
 */
function alternativeProblems({ sets, exclusive }: Alternatives, given: ReadonlySet<string>): Problem[] {
  if (sets.length === 0) return [];
  const problem = (rule: string) => (field: string) => ({
    path: [field],
    message: `${rule} ${wording(sets)}`,
  });
  const whole = sets.filter((fields) => fields.every((field) => given.has(field)));
  if (whole.length === 0) {
    const begun = sets.find((fields) => fields.some((field) => given.has(field))) ?? sets[0] ?? [];
    return begun.filter((field) => !given.has(field)).map(problem('Required:'));
  }
  return exclusive ? whole.slice(1).flat().map(problem('Exactly one of')) : [];
}

/** The same rule in JSON Schema. */
function alternativeKeywords({ sets, exclusive }: Alternatives): Record<string, unknown> {
  if (sets.length === 0) return {};
  return { [exclusive ? 'oneOf' : 'anyOf']: sets.map((required) => ({ required })) };
}

const wording = (sets: Alternatives['sets']): string =>
  sets.map((fields) => fields.join(' and ')).join(' or ');
