/** How long the texts, lists and records of requests may be that more than one field shares. */
export const bounds = {
  /** A name, an identifier, a line of an address. */
  line: 255,
  /** A payment address or an account identifier. */
  paymentAddress: 320,
  /** Why something is done. */
  remark: 1_000,
  currencyCode: 16,
  /** ISO 8601 with fractions of a second and an offset. */
  moment: 40,
  /** What a browser or an identity provider has signed. */
  proof: 16_384,
  currencies: 100,
  countries: 300,
  /** The accounts that a policy names. */
  policyAccounts: 1_000,
  customerInfoEntries: 50,
  customerInfoName: 64,
  customerInfoValue: 1_000,
} as const;
