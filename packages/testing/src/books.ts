/** The books of a platform, as its trial balance tells them. */
import type { Daybook, Schemas } from '@daybook/client';

type Line = Schemas['TrialBalance'];

export type Books = {
  /** Whether the accounts of every currency add up to zero. */
  areBalanced(): Promise<boolean>;
  /** The currencies whose accounts do not. */
  unbalanced(): Promise<readonly Line[]>;
  /** What has been debited and not yet paid out or given back, in minor units by currency, without zeros. */
  inFlight(): Promise<Readonly<Record<string, number>>>;
};

export function booksOf(client: Pick<Daybook, 'getTrialBalance'>): Books {
  const lines = async () => (await client.getTrialBalance()).data;
  const unbalanced = async () => (await lines()).filter(({ total }) => total !== 0);
  return {
    unbalanced,
    areBalanced: async () => (await unbalanced()).length === 0,
    inFlight: async () =>
      Object.fromEntries(
        (await lines()).flatMap(({ currency, inFlight }) => (inFlight ? [[currency.code, inFlight]] : [])),
      ),
  };
}
