import type { Client, Json } from '../http/client.ts';
import { expectStatus } from '../resources/flows.ts';
import type { Sent } from '../traffic/burst.ts';

/** Every transaction of the platform, page by page, oldest first. */
export async function allTransactions(client: Client): Promise<readonly Json[]> {
  const found: Json[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = { limit: '100', sortOrder: 'asc', ...(cursor && { cursor }) };
    const page = expectStatus(await client.get('/transactions', query), 200);
    found.push(...page.data);
    cursor = page.nextCursor;
    if (!cursor) return found;
  }
}

const fundsOf = (all: readonly Json[], accountId: string) =>
  all.filter(({ type, destination }) => type === 'INCOMING' && destination.accountId === accountId);
const executedFrom = (all: readonly Json[], accountId: string) =>
  all.filter(({ type, status, source }) => {
    const isExecuted = status === 'PROCESSING' || status === 'COMPLETED';
    return type === 'OUTGOING' && isExecuted && source.accountId === accountId;
  });

/** What the account must hold if each transaction took effect once. */
export const expectedBalance = (all: readonly Json[], accountId: string): number =>
  fundsOf(all, accountId).reduce((sum, { receivedAmount }) => sum + receivedAmount.amount, 0) -
  executedFrom(all, accountId).reduce((sum, { sentAmount }) => sum + sentAmount.amount, 0);

/** How often a request took effect, by what the books show. */
export function effectsOf({ kind, accountId, mark }: Sent, all: readonly Json[]): number {
  if (kind === 'fund')
    return fundsOf(all, accountId).filter(({ receivedAmount }) => String(receivedAmount.amount) === mark)
      .length;
  if (kind === 'quote') return all.filter(({ description }) => description === mark).length;
  return executedFrom(all, accountId).filter(({ quoteId }) => quoteId === mark).length;
}

/** The requests whose effects contradict what their sender was told. */
export const contradictions = (sent: readonly Sent[], all: readonly Json[]) =>
  sent.flatMap((request) => {
    const effects = effectsOf(request, all);
    const isRight = request.answer ? effects === 1 : effects <= 1;
    return isRight ? [] : [{ ...request, effects }];
  });
