/** Where the company hears what became of its payments. */
import { createServer, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@daybook/client/webhooks';

type Ending = 'paid' | 'failed' | 'called off';

export type Bookkeeping = {
  readonly server: Server;
  /** By the payment: how it ended, once it has. */
  readonly endings: ReadonlyMap<string, Ending>;
  /** How many endings were written down, each once, and how many webhooks came in all. */
  readonly counts: { written: number; received: number };
  /** While it is closed, it answers 500. */
  closed: boolean;
};

/** Of a payment, where that is what the webhook tells. */
function endingOf(event: WebhookEvent): readonly [paymentId: string, ending: Ending] | undefined {
  switch (event.type) {
    case 'OUTGOING_PAYMENT.COMPLETED':
      return [event.data.id, 'paid'];
    case 'OUTGOING_PAYMENT.FAILED':
      return [event.data.id, 'failed'];
    case 'OUTGOING_PAYMENT.REFUND_COMPLETED':
      // What has failed is given back as well, and is told by its own webhook.
      return event.data.status === 'REFUNDED' ? [event.data.id, 'called off'] : undefined;
    default:
      return undefined;
  }
}

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
      const ended = endingOf(event);
      if (ended && !seen.has(event.id)) {
        seen.add(event.id);
        counts.written += 1;
        endings.set(...ended);
      }
      response.end();
    } catch (error) {
      response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
    }
  });
  const bookkeeping: Bookkeeping = { server, endings, counts, closed: false };
  return bookkeeping;
}
