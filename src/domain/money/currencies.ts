import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';

/** A currency as the interface shows it. */
export type Currency = {
  readonly code: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
};

export type CurrencyDefinition = Currency & { readonly kind: 'fiat' | 'crypto' };

const fiat = (code: string, name: string, symbol: string, decimals = 2): CurrencyDefinition => ({
  code,
  name,
  symbol,
  decimals,
  kind: 'fiat',
});

const crypto = (code: string, name: string, symbol: string, decimals: number): CurrencyDefinition => ({
  code,
  name,
  symbol,
  decimals,
  kind: 'crypto',
});

/** Decimals depart from ISO 4217 in places: one table for the whole interface. */
const definitions: readonly CurrencyDefinition[] = [
  fiat('AED', 'United Arab Emirates Dirham', 'د.إ'),
  fiat('ARS', 'Argentine Peso', 'AR$'),
  fiat('BDT', 'Bangladeshi Taka', '৳'),
  fiat('BRL', 'Brazilian Real', 'R$'),
  fiat('BWP', 'Botswana Pula', 'P'),
  fiat('CAD', 'Canadian Dollar', 'CA$'),
  fiat('CNY', 'Chinese Yuan', 'CN¥'),
  fiat('COP', 'Colombian Peso', 'CO$'),
  fiat('DKK', 'Danish Krone', 'kr'),
  fiat('EGP', 'Egyptian Pound', 'E£'),
  fiat('EUR', 'Euro', '€'),
  fiat('GBP', 'British Pound', '£'),
  fiat('GHS', 'Ghanaian Cedi', 'GH₵'),
  fiat('GTQ', 'Guatemalan Quetzal', 'Q'),
  fiat('HKD', 'Hong Kong Dollar', 'HK$'),
  fiat('HTG', 'Haitian Gourde', 'G'),
  fiat('IDR', 'Indonesian Rupiah', 'Rp'),
  fiat('INR', 'Indian Rupee', '₹'),
  fiat('JMD', 'Jamaican Dollar', 'J$'),
  fiat('KES', 'Kenyan Shilling', 'KSh'),
  fiat('MWK', 'Malawian Kwacha', 'MK'),
  fiat('MXN', 'Mexican Peso', 'MX$'),
  fiat('MYR', 'Malaysian Ringgit', 'RM'),
  fiat('NGN', 'Nigerian Naira', '₦'),
  fiat('PHP', 'Philippine Peso', '₱'),
  fiat('PKR', 'Pakistani Rupee', '₨'),
  fiat('RWF', 'Rwandan Franc', 'FRw', 0),
  fiat('SGD', 'Singapore Dollar', 'S$'),
  fiat('THB', 'Thai Baht', '฿'),
  fiat('TZS', 'Tanzanian Shilling', 'TSh'),
  fiat('UGX', 'Ugandan Shilling', 'USh', 0),
  fiat('USD', 'United States Dollar', '$'),
  fiat('VND', 'Vietnamese Dong', '₫', 0),
  fiat('XAF', 'Central African CFA Franc', 'FCFA', 0),
  fiat('XOF', 'West African CFA Franc', 'F CFA', 0),
  fiat('ZAR', 'South African Rand', 'R'),
  fiat('ZMW', 'Zambian Kwacha', 'ZK'),
  crypto('BTC', 'Bitcoin', '₿', 8),
  crypto('USDB', 'USDB', 'USDB', 6),
  crypto('USDC', 'USD Coin', 'USDC', 6),
  crypto('USDT', 'Tether USD', 'USDT', 6),
];

/** Every currency that the interface knows, by code. */
export const currencies: ReadonlyMap<string, CurrencyDefinition> = new Map(
  definitions.map((currency) => [currency.code, currency]),
);

export const findCurrency = (code: string): CurrencyDefinition | undefined => currencies.get(code);

/** For codes that were checked where they entered the service. Throws `InvariantViolation` on an unknown one. */
export function currencyView(code: string): Currency {
  const { name, symbol, decimals } = known(code);
  return { code, name, symbol, decimals };
}

/** Digits after the point of one major unit. Throws `InvariantViolation` on an unknown code. */
export const decimalsOf = (code: string): number => known(code).decimals;

function known(code: string): CurrencyDefinition {
  const currency = currencies.get(code);
  invariant(currency !== undefined, `unknown currency ${code}`);
  return currency;
}

/** Throws `Rejected` with a list of the codes that the service does not know. */
export function requireKnownCurrencies(codes: readonly string[]): void {
  const unknown = codes.filter((code) => !findCurrency(code));
  if (unknown.length === 0) return;
  throw new Rejected('INVALID_CURRENCY', `Not supported: ${unknown.join(', ')}.`, { currencies: unknown });
}

export const isCrypto = (code: string): boolean => findCurrency(code)?.kind === 'crypto';

/** Crypto that is worth a unit of something else, and exists on several networks at once. */
export const isStablecoin = (code: string): boolean => isCrypto(code) && code !== 'BTC';
