import type { ReadDb } from '../../../../projections/database.ts';
import { hasNews, listToldAfter, webhooksChannel } from '../../../../projections/kept/webhook-events.ts';
import { findWebhookEndpoint } from '../../../../projections/models/webhook-endpoints.ts';
import type { WebhookEventRow } from '../../../../projections/tables/webhooks.ts';
import type { Listening } from '../../../infrastructure/postgres/listen.ts';
import { parseExactly } from '../../../kernel/json.ts';
import { inboxUrl } from '../../../sandbox/inbox.ts';
import { magicValues } from '../../../sandbox/outcomes.ts';
import { type Route, route } from '../../operation.ts';
import type { Followers } from './followers.ts';
import { listOutcomes, listSandboxWebhooks, position, streamEvents } from './operations.ts';
import { createWaiting, type Waiting } from './waiting.ts';

type Deps = { readonly listDb: ReadDb; readonly listening: Listening; readonly followers: Followers };

export function sandboxWatchingRoutes({ listDb, listening, followers }: Deps): readonly Route[] {
  const waiting: Waiting = createWaiting(listening, webhooksChannel, hasNews);
  return [
    route(listSandboxWebhooks, async ({ principal, query, gone }) => {
      const { platformId } = principal;
      const { limit, waitSeconds, ...filters } = query;
      const isTold = waitSeconds > 0 && (await findWebhookEndpoint(listDb, platformId));
      const rows = await waiting.until({
        platformId,
        ask: () => listToldAfter(listDb, platformId, filters, limit),
        willDo: (found) => found.length > 0,
        waitMs: isTold ? waitSeconds * 1_000 : 0,
        gone: gone(),
      });
      return { status: 200, body: { data: rows.map(renderTold) } };
    }),
    route(streamEvents, async ({ principal, query, header }) => {
      const last = position.safeParse(header('last-event-id'));
      const after = last.success ? last.data : query.after;
      const from = { after, seconds: query.seconds };
      return { status: 200, stream: await followers.follow(principal.platformId, from) };
    }),
    route(listOutcomes, async () => ({ status: 200, body: { inboxUrl, data: magicValues() } })),
  ];
}

const renderTold = (row: WebhookEventRow) => ({
  id: row.id,
  place: `${row.position}.${row.n}`,
  type: row.type,
  objectId: row.object_id,
  state: row.state,
  attempts: row.attempts,
  createdAt: row.created_at.toISOString(),
  data: parseExactly(row.body) as Record<string, unknown>,
});
