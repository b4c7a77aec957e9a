/** Calls to a service that an operator runs: signed, bounded, and never sent on elsewhere. */
import type { z } from 'zod';
import { signedHeaders } from '../infrastructure/secrets/signed-message.ts';
import { readText } from '../infrastructure/text/bounded-text.ts';
import { parseExactly } from '../kernel/json.ts';

export type ServiceAddress = { readonly url: string; readonly secret: string };

type Deps = ServiceAddress & { readonly newId: () => string; readonly now: () => Date };

export type CallService = <Answer extends z.ZodType>(
  message: Readonly<Record<string, unknown>>,
  answer: Answer,
  signal: AbortSignal,
) => Promise<z.output<Answer>>;

/** Posts one message and reads its answer. Throws where there is none, or one of another shape; never says what was sent. */
export const createServiceClient =
  ({ url, secret, newId, now }: Deps): CallService =>
  async (message, answer, signal) => {
    const body = Buffer.from(JSON.stringify(message));
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Daybook',
      ...signedHeaders(secret, { id: newId(), sentAt: now() }, body),
    };
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal });
    const text = await readText(response);
    if (response.status !== 200) throw new Error(`the service answered ${response.status}`);
    const parsed = answer.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    const where = parsed.error.issues.map(
      ({ path, message: why }) => `${path.join('.') || 'answer'}: ${why}`,
    );
    throw new Error(`the service's answer cannot be read: ${where.join('; ')}`);
  };

function parseJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    throw new Error('the answer is not JSON');
  }
}
