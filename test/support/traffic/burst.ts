import type { Client, Json } from '../http/client.ts';
import { eventually, quoteBody } from '../resources/flows.ts';
import type { Random } from '../values/random.ts';

export type Party = { readonly accountId: string; readonly payeeId: string };

/** A request as its sender remembers it: whether an answer came, and which. */
export type Sent = {
  readonly kind: 'fund' | 'quote' | 'execute';
  readonly accountId: string;
  /** The amount of a fund, the description of a quote, the id of the quote that is executed: each is used once. */
  readonly mark: string;
  readonly path: string;
  readonly body: unknown;
  readonly key: string | undefined;
  answer?: { readonly status: number; readonly body: Json } | undefined;
};

export type Burst = {
  readonly sent: readonly Sent[];
  /** Sends at random until the connection fails for all. */
  run(client: Client): Promise<void>;
  /**
   * Sends each keyed request that got no answer again, with its key. A 503 is none: what became of the request is not
   * known.
   */
  retry(client: Client): Promise<void>;
};

const senders = 6;
const isRefused = ({ answer }: Sent): boolean => answer?.status === 503;

export function createBurst(parties: readonly [Party, ...Party[]], random: Random): Burst {
  const sent: Sent[] = [];
  const executable: { readonly accountId: string; readonly id: string }[] = [];
  let count = 0;

  const next = (): Sent => {
    const { accountId, payeeId } = random.oneOf(parties);
    const number = ++count;
    const key = random.between(0, 1) ? `key-${number}` : undefined;
    const quote = executable.shift();
    if (quote) {
      const path = `/quotes/${quote.id}/execute`;
      return { kind: 'execute', accountId: quote.accountId, mark: quote.id, path, body: undefined, key };
    }
    if (random.between(0, 2) === 0) {
      const [amount, path] = [1_000 + number, `/sandbox/internal-accounts/${accountId}/fund`];
      return { kind: 'fund', accountId, mark: String(amount), path, body: { amount }, key: undefined };
    }
    const mark = `quote ${number}`;
    const terms = { lockedCurrencyAmount: 500 + number, description: mark };
    return {
      kind: 'quote',
      accountId,
      mark,
      path: '/quotes',
      body: quoteBody(accountId, payeeId, terms),
      key,
    };
  };
  const send = async (client: Client, request: Sent): Promise<boolean> => {
    const headers = request.key ? { 'idempotency-key': request.key } : {};
    const answer = await client.post(request.path, request.body, headers).catch(() => undefined);
    if (!answer) return false;
    request.answer = { status: answer.status, body: answer.body };
    if (request.kind === 'quote' && answer.status === 201)
      executable.push({ accountId: request.accountId, id: answer.body.id });
    return true;
  };
  const keepSending = async (client: Client) => {
    for (;;) {
      const request = next();
      sent.push(request);
      if (!(await send(client, request))) return;
    }
  };

  return {
    sent,
    run: async (client) =>
      void (await Promise.all(Array.from({ length: senders }, () => keepSending(client)))),
    async retry(client) {
      for (const request of sent.filter(isRefused)) request.answer = undefined;
      const open = sent.filter(({ key, answer }) => key && !answer);
      await Promise.all(
        open.map((request) =>
          eventually(
            () => send(client, request),
            () => !isRefused(request),
          ),
        ),
      );
    },
  };
}
