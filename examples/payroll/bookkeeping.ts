/** Where the company hears what became of its payments. */
import { createServer, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, WebhookVerificationError } from '@daybook/client/webhooks';

type Ending = 'paid' | 'failed';

export type Bookkeeping = {
  readonly server: Server;
  /** By the payment: how it ended, once it has. */
  readonly endings: ReadonlyMap<string, Ending>;
  /** How many endings were written down, each once, and how many webhooks came in all. */
  readonly counts: { written: number; received: number };
  /** While it is closed, it answers 500. */
  closed: boolean;
};

const endingOf: Readonly<Record<string, Ending>> = {
  'OUTGOING_PAYMENT.COMPLETED': 'paid',
  'OUTGOING_PAYMENT.FAILED': 'failed',
};

/** Takes webhooks that are signed with the key of the company's configuration, each once, and no others. */
export function keepBooks(publicKey: string): Bookkeeping {
  const endings = new Map<string, Ending>();
  const seen = new Set<string>();
  const counts = { written: 0, received: 0 };
  const server = createServer(async (request, response) => {
    try {
      const event = verifyWebhook({ body: await buffer(request), headers: request.headers }, { publicKey });
      counts.received += 1;
      if (bookkeeping.closed) throw new Error('closed');
      const ending = endingOf[event.type];
      if (ending && !seen.has(event.id)) {
        seen.add(event.id);
        counts.written += 1;
        endings.set(event.data.id, ending);
      }
      response.end();
    } catch (error) {
      response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
    }
  });
  const bookkeeping: Bookkeeping = { server, endings, counts, closed: false };
  return bookkeeping;
}
