/** What a platform is told, waited for without a receiver. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Daybook, Input, Schemas } from '@daybook/client';
import type { WebhookData, WebhookType } from '@daybook/client/webhooks';

type Query = NonNullable<Input<'sandboxListWebhooks'>['query']>;

/** Of objects some of the fields, at any depth; of anything else the whole. */
type Part<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]?: Part<Value[Key]> }
    : Value;

/** Fields that the `data` of a webhook has, or what it has to satisfy. */
export type Match<Type extends WebhookType> =
  | Part<WebhookData<Type>>
  | ((data: WebhookData<Type>) => boolean);

export type Told<Type extends WebhookType = WebhookType> = Omit<
  Schemas['SandboxWebhook'],
  'type' | 'data'
> & {
  readonly type: Type;
  readonly data: WebhookData<Type>;
};

/** No such webhook came in time. */
export class NotTold extends Error {
  override readonly name = 'NotTold';
}

/**
 * The first webhook of the type that matches, of all that the platform was ever told; waits for it up to `timeoutMs`
 * (10,000 unless said otherwise), and throws `NotTold` when none came. With 0 it looks once.
 */
export type AwaitWebhook = <Type extends WebhookType>(
  type: Type,
  match?: Match<Type>,
  timeoutMs?: number,
) => Promise<Told<Type>>;

const timeoutUsualMs = 10_000;
const waitMaxSeconds = 30;
const pageMax = 100;
const shownMax = 5;
/** The service answers at once where too many wait. */
const pauseMs = 50;

export const awaitWebhookOn =
  (client: Pick<Daybook, 'sandboxListWebhooks'>): AwaitWebhook =>
  async <Type extends WebhookType>(type: Type, match?: Match<Type>, timeoutMs = timeoutUsualMs) => {
    const end = performance.now() + timeoutMs;
    const seen: Told<Type>[] = [];
    for (;;) {
      const leftMs = Math.max(0, end - performance.now());
      const after = seen.at(-1)?.place;
      const query = { type, limit: pageMax, ...(after !== undefined && { after }) };
      const data = (await look(client, query, leftMs)) as unknown as readonly Told<Type>[];
      const found = data.find((one) => isMatch(match ?? {}, one.data));
      if (found) return found;
      seen.push(...data);
      if (data.length > 0) continue;
      if (leftMs <= 0) throw notTold(type, match ?? {}, timeoutMs, seen);
      await sleep(Math.max(0, Math.min(pauseMs, end - performance.now())));
    }
  };

/** What there is, or the first that comes within so long. The service waits for whole seconds, of which the last may be too long. */
async function look(
  client: Pick<Daybook, 'sandboxListWebhooks'>,
  query: Omit<Query, 'waitSeconds'>,
  leftMs: number,
) {
  const waitSeconds = Math.min(waitMaxSeconds, Math.ceil(leftMs / 1_000));
  const signal = waitSeconds * 1_000 > leftMs ? AbortSignal.timeout(Math.ceil(leftMs)) : undefined;
  try {
    const asked = { query: { ...query, waitSeconds }, ...(signal && { signal }) };
    return (await client.sandboxListWebhooks(asked)).data;
  } catch (error) {
    if (signal?.aborted) return [];
    throw error;
  }
}

function notTold(type: string, match: unknown, timeoutMs: number, seen: readonly Told[]): NotTold {
  const wanted = typeof match === 'function' ? 'what is asked of it' : JSON.stringify(match);
  const told = seen.slice(-shownMax).map(({ data }) => JSON.stringify(data));
  const others = told.length === 0 ? 'there was none of this type' : `the last ones: ${told.join('; ')}`;
  return new NotTold(`no ${type} that has ${wanted} within ${timeoutMs} ms; ${others}`);
}

function isMatch(match: unknown, value: unknown): boolean {
  if (typeof match === 'function') return match(value) === true;
  if (typeof match !== 'object' || match === null) return Object.is(match, value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(match) && (!Array.isArray(value) || value.length !== match.length)) return false;
  const has = value as Readonly<Record<string, unknown>>;
  return Object.entries(match).every(([name, wanted]) => isMatch(wanted, has[name]));
}
