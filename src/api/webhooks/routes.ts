import type { ReadDb } from '../../../projections/database.ts';
import {
  findWebhookEvent,
  listWebhookAttempts,
  listWebhookEvents,
  wakeWebhooks,
} from '../../../projections/kept/webhook-events.ts';
import { findWebhookEndpoint } from '../../../projections/models/webhook-endpoints.ts';
import type { WebhookEventRow } from '../../../projections/tables/webhooks.ts';
import { idOf, type PlatformId } from '../../kernel/ids.ts';
import { parseBody } from '../../kernel/json.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Principal } from '../../use-cases/caller.ts';
import { signedCall } from '../../workers/webhooks/envelope.ts';
import type { WebhookKeys } from '../../workers/webhooks/keys.ts';
import type { Sender } from '../../workers/webhooks/send.ts';
import type { DeliveryStore } from '../../workers/webhooks/store.ts';
import { renderPage } from '../fields/fields.ts';
import { type Request, type Route, route, routeOn } from '../operation.ts';
import {
  endpointNotSet,
  getWebhookEvent,
  getWebhookKeys,
  listWebhookEventsOperation,
  redeliverWebhookEvent,
  redeliverWebhookEvents,
  renderAttempt,
  renderEvent,
  renderKeys,
  rotateWebhookKeys,
  sendTestWebhook,
  webhookEventNotFound,
} from './operations.ts';

const testTimeoutMs = 10_000;

type Deps = {
  readonly readDb: ReadDb;
  readonly webhookKeys: WebhookKeys;
  readonly webhookSender: Sender;
  readonly webhookStore: DeliveryStore;
  readonly now: () => Date;
};

export function webhookRoutes(deps: Deps): readonly Route[] {
  const { readDb, webhookKeys, webhookStore, now } = deps;
  const find = async ({
    principal,
    params,
  }: Pick<Request<typeof getWebhookEvent>, 'principal' | 'params'>) => {
    const row = await findWebhookEvent(readDb, principal.platformId, params.webhookEventId);
    if (!row) throw webhookEventNotFound();
    return row;
  };
  const redeliver = async (platformId: PlatformId, which: Parameters<DeliveryStore['redeliver']>[1]) => {
    await requireEndpoint(readDb, platformId);
    const count = await webhookStore.redeliver(platformId, which, now());
    await wakeWebhooks(readDb);
    return count;
  };

  return [
    route(listWebhookEventsOperation, async ({ principal, query }) => {
      const { limit, cursor, ...filters } = query;
      const page = await listWebhookEvents(readDb, principal.platformId, filters, { limit, cursor });
      return { status: 200, body: renderPage(page, renderEvent) };
    }),
    routeOn(getWebhookEvent, find, async (_request, row) => {
      const attempts = await listWebhookAttempts(readDb, row.id);
      const attemptLog = attempts.map(renderAttempt);
      return { status: 200, body: { ...renderEvent(row), data: dataOf(row), attemptLog } };
    }),
    routeOn(redeliverWebhookEvent, find, async ({ principal, params }, row) => {
      await redeliver(principal.platformId, row.id);
      return { status: 202, body: renderEvent(await find({ principal, params })) };
    }),
    route(redeliverWebhookEvents, async ({ principal, body }) => ({
      status: 202,
      body: { count: await redeliver(principal.platformId, body) },
    })),
    route(getWebhookKeys, async ({ principal }) => ({
      status: 200,
      body: renderKeys(await webhookKeys.current(principal.platformId), mayManage(principal)),
    })),
    route(rotateWebhookKeys, async ({ principal }) => ({
      status: 200,
      body: renderKeys(await webhookKeys.rotate(principal.platformId), true),
    })),
    route(sendTestWebhook, (request) => sendTest(deps, request)),
  ];
}

const mayManage = ({ permissions }: Principal) => permissions.includes('MANAGE');

const dataOf = ({ body }: WebhookEventRow) => parseBody(Buffer.from(body));

async function requireEndpoint(readDb: ReadDb, platformId: PlatformId) {
  const endpoint = await findWebhookEndpoint(readDb, platformId);
  if (!endpoint) throw endpointNotSet();
  return endpoint;
}

/** At once and never repeated; it is not kept among the events. */
async function sendTest(
  { readDb, webhookKeys, webhookSender, now }: Deps,
  { principal, uuidFor }: Request<typeof sendTestWebhook>,
) {
  const { platformId } = principal;
  const { url } = await requireEndpoint(readDb, platformId);
  const message = { id: idOf('Webhook', uuidFor('webhook')), type: 'TEST', body: '{}' };
  const call = signedCall(message, await webhookKeys.current(platformId), now());
  const outcome = await webhookSender.send({ ...call, url, timeoutMs: testTimeoutMs, allowHttp: true });
  const { status, excerpt = '', error } = outcome;
  if (status === undefined) {
    throw new Rejected('WEBHOOK_DELIVERY_ERROR', `The endpoint could not be called: ${error}.`, { url });
  }
  return { status: 200, body: { url, response_status: status, response_body: excerpt } };
}
