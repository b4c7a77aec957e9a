/** Customers with accounts, made over the interface, for payments between them. */

export const clientId = 'bench';
export const clientSecret = 'a-secret-of-the-benchmark';
export const authorizationOf = (id: string) =>
  `Basic ${Buffer.from(`${id}:${clientSecret}`).toString('base64')}`;
export const authorization = authorizationOf(clientId);

export type Town = {
  /** Of its platform. */
  readonly authorization: string;
  readonly accounts: readonly {
    readonly customer: string;
    readonly internal: string;
    readonly external: string;
  }[];
};

type Json = Readonly<Record<string, unknown>>;

function caller(base: string, authorization: string) {
  return async (method: string, path: string, body?: Json): Promise<Json> => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : {};
  };
}

/** Builds a town of so many customers, each with an internal and an external account in USD. */
export async function buildTown(base: string, size: number, by = authorization): Promise<Town> {
  const call = caller(base, by);
  const accounts = [];
  for (let n = 0; n < size; n++) {
    const customer = await call('POST', '/customers', {
      customerType: 'INDIVIDUAL',
      fullName: `Citizen ${n}`,
      region: 'US',
      currencies: ['USD'],
    });
    const customerId = String(customer.id);
    const listed = await call(
      'GET',
      `/customers/internal-accounts?customerId=${customerId}&type=INTERNAL_FIAT`,
    );
    const [account] = listed.data as Json[];
    const external = await call('POST', '/customers/external-accounts', {
      customerId,
      currency: 'USD',
      accountInfo: {
        accountType: 'USD_ACCOUNT',
        accountNumber: String(1_000_000_000 + n * 1000 + 999),
        routingNumber: '021000021',
        bankAccountType: 'CHECKING',
        bankName: 'Bench Bank',
        beneficiary: {
          beneficiaryType: 'INDIVIDUAL',
          fullName: `Citizen ${n}`,
          birthDate: '1990-01-01',
          nationality: 'US',
        },
      },
    });
    accounts.push({ customer: customerId, internal: String(account?.id), external: String(external.id) });
  }
  return { authorization: by, accounts };
}
