import { expect, it } from 'vitest';
import { z } from 'zod';
import { fundingInstructions } from '../../../src/domain/accounts/funding-instructions.ts';
import { type AccountInfo, definitions } from '../../../src/domain/external-accounts/definitions.ts';
import { currencies } from '../../../src/domain/money/currencies.ts';
import { requireCheckDigits } from '../../../src/use-cases/external-accounts/check-digits.ts';

const isTaken = (info: object) => () => requireCheckDigits(info as AccountInfo, false);

it.each([...currencies.keys()])('deposit instructions in %s have check digits that fit', (currency) => {
  for (let n = 0; n < 30; n++)
    for (const { accountOrWalletInfo } of fundingInstructions(currency, `InternalAccount:${n}`))
      expect(isTaken(accountOrWalletInfo)).not.toThrow();
});

const exampleOf = (schema: z.ZodType): unknown => {
  const described = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return z.globalRegistry.get(described as z.ZodType)?.examples?.[0];
};

it.each(definitions)('the examples of $accountType have check digits that fit', ({ fields }) => {
  const examples = Object.entries(fields).map(([name, schema]) => [name, exampleOf(schema)]);
  expect(isTaken(Object.fromEntries(examples))).not.toThrow();
});

it('numbers with other check digits are refused', () => {
  expect(isTaken({ iban: 'DE88370400440532013000' })).toThrow();
  expect(isTaken({ routingNumber: '100012345' })).toThrow();
});
