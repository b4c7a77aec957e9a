import type { ReadDb } from '../../../projections/database.ts';
import {
  findAttemptedEvent,
  findWebhookEvent,
  listWebhookEvents,
} from '../../../projections/kept/webhook-events.ts';
import { webhookEventNotFound } from '../../domain/webhooks/refusals.ts';
import type { WebhookKeys } from '../../workers/webhooks/keys.ts';
import { redeliver, redeliverPeriod, sendTest } from '../../workers/webhooks/on-request.ts';
import type { Sender } from '../../workers/webhooks/send.ts';
import type { Turns } from '../../workers/webhooks/turns.ts';
import type { Webhooks } from '../../workers/webhooks/webhooks.ts';
import { renderPage } from '../fields/fields.ts';
import { found } from '../found.ts';
import { type Request, type Route, route, routeOn } from '../operation.ts';
import * as operations from './operations.ts';
import { renderEvent, renderEventWithAttempts, renderKeys } from './render.ts';

type Deps = {
  readonly readDb: ReadDb;
  readonly listDb: ReadDb;
  readonly webhookKeys: WebhookKeys;
  readonly webhookSender: Sender;
  readonly webhookTurns: Turns;
  readonly askForRedelivery: Webhooks['askForRedelivery'];
  readonly now: () => Date;
  readonly installationNow: () => Date;
};
type ById = Pick<Request<typeof operations.getWebhookEvent>, 'principal' | 'params'>;

export const webhookRoutes = (deps: Deps): readonly Route[] => [...eventRoutes(deps), ...keyRoutes(deps)];

function eventRoutes(deps: Deps): readonly Route[] {
  const { readDb, listDb } = deps;
  const load = async ({ principal, params }: ById) =>
    found(await findWebhookEvent(readDb, principal.platformId, params.webhookEventId), webhookEventNotFound);
  const loadWithAttempts = async ({ principal, params }: ById) =>
    found(
      await findAttemptedEvent(readDb, principal.platformId, params.webhookEventId),
      webhookEventNotFound,
    );
  return [
    route(operations.listWebhookEventsOperation, async ({ principal, query }) => {
      const { limit, cursor, ...filters } = query;
      const page = await listWebhookEvents(listDb, principal.platformId, filters, { limit, cursor });
      return { status: 200, body: renderPage(page, renderEvent) };
    }),
    routeOn(operations.getWebhookEvent, loadWithAttempts, async (_request, event) => ({
      status: 200,
      body: renderEventWithAttempts(event),
    })),
    routeOn(operations.redeliverWebhookEvent, load, async (request, { id }) => {
      await redeliver(deps, request.principal.platformId, id);
      return { status: 202, body: renderEvent(await load(request)) };
    }),
    route(operations.redeliverWebhookEvents, async ({ principal, body }) => ({
      status: 202,
      body: { count: await redeliverPeriod(deps, principal.platformId, body) },
    })),
  ];
}

function keyRoutes(deps: Deps): readonly Route[] {
  const { webhookKeys } = deps;
  return [
    route(operations.getWebhookKeys, async ({ principal }) => {
      const keys = await webhookKeys.shown(principal.platformId);
      return { status: 200, body: renderKeys(keys, principal.permissions.includes('MANAGE')) };
    }),
    route(operations.rotateWebhookKeys, async ({ principal }) => ({
      status: 200,
      body: renderKeys(await webhookKeys.rotate(principal.platformId), true),
    })),
    route(operations.sendTestWebhook, async ({ principal, uuidFor }) => {
      const { url, status, excerpt } = await sendTest(deps, principal.platformId, uuidFor('webhook'));
      return { status: 200, body: { url, response_status: status, response_body: excerpt } };
    }),
  ];
}
