/** Events in words, for people who do not read their schemas. */
import { accountWords } from './words/account.ts';
import { agentWords } from './words/agent.ts';
import { paymentWords } from './words/payment.ts';
import { walletWords } from './words/wallet.ts';

type Told = { readonly type: string; readonly data: unknown };

const words = { ...accountWords, ...paymentWords, ...agentWords, ...walletWords } as Readonly<
  Record<string, (data: never) => string>
>;

/** Of the envelope, or told by the stream. */
const known = new Set(['platformId', 'at']);

/**
 * One sentence about a decoded event: amounts in major units, ids of what is the platform's own. It says no personal
 * data. Of events without money it names the fields that they have.
 */
export function describeEvent({ type, data }: Told): string {
  const tell = words[type];
  if (tell) return tell(data as never);
  const fields = Object.entries(data as object)
    .filter(([name, value]) => value !== undefined && !known.has(name) && !name.endsWith('Id'))
    .map(([name]) => name);
  const says = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  const sentence = `${says.charAt(0).toUpperCase()}${says.slice(1)}`;
  return fields.length > 0 ? `${sentence}: ${fields.join(', ')}.` : `${sentence}.`;
}
