/**
 * Writes what the platform is to hear, in the transaction in which the read models learn of the event: `data` is what
 * the GET answers as of exactly that event. Each event of the log is written once, however often it is seen.
 */

import type { WriteDb } from '../../../projections/database.ts';
import { appendWebhookEvent, cancelWebhookEvents } from '../../../projections/kept/webhook-events.ts';
import { findAgentAction } from '../../../projections/models/agent-actions.ts';
import { ownersOf } from '../../../projections/models/beneficial-owners.ts';
import { findCustomer } from '../../../projections/models/customers.ts';
import { rowOfTerms } from '../../../projections/models/transaction-row.ts';
import { findTransaction } from '../../../projections/models/transactions.ts';
import { findVerification } from '../../../projections/models/verifications.ts';
import { findWebhookEndpoint } from '../../../projections/models/webhook-endpoints.ts';
import type { Projection } from '../../../projections/projector/projection.ts';
import { platformOf } from '../../../projections/projector/projection.ts';
import type { DomainEvent } from '../../domain/aggregates.ts';
import type { Invitation } from '../../domain/invitations/invitation.ts';
import { ofQuote } from '../../domain/payments/terms.ts';
import { type Webhook, webhooksOf } from '../../domain/webhooks/told.ts';
import { isWebhookType, type WebhookType } from '../../domain/webhooks/types.ts';
import { derivedUuid, type InvitationId, idOf, type PlatformId } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { stringify } from '../../kernel/json.ts';
import { renderInternalAccount } from '../accounts/render.ts';
import { renderAgentAction } from '../agents/actions/render.ts';
import { renderCustomer } from '../customers/render.ts';
import { renderInvitation } from '../invitations/render.ts';
import { renderTransaction } from '../transactions/render.ts';
import { renderVerification } from '../verifications/render.ts';

type Deps = {
  /** An invitation has no read model of its own; a claimed one does not change any more. */
  readonly loadInvitation: (id: InvitationId) => Promise<Invitation>;
};

export const createOutbox = (deps: Deps): Projection => ({
  name: 'webhooks',
  tables: ['webhook_events'],
  async project(event, db) {
    const platformId = platformOf(event);
    const at = new Date(event.metadata.at);
    if (endsDelivery(event)) await cancelWebhookEvents(db, platformId, at);
    const webhooks = webhooksOf(event);
    if (webhooks.length === 0 || !(await findWebhookEndpoint(db, platformId))) return;
    for (const [n, webhook] of webhooks.entries()) {
      const rendered = await render(webhook, platformId, db, deps);
      if (!rendered) continue;
      const { type, data } = rendered;
      const id = idOf('Webhook', derivedUuid('webhook', event.id, type));
      const body = stringify(data);
      const place = { position: event.position, n, at };
      await appendWebhookEvent(db, {
        id,
        platform_id: platformId,
        type,
        object_id: webhook.id,
        body,
        ...place,
      });
    }
  },
});

/** Without an endpoint there is nobody to tell. */
const endsDelivery = (event: DomainEvent): boolean =>
  event.type === 'WebhookEndpointDisabled' ||
  (event.type === 'PlatformConfigChanged' && event.data.webhookEndpoint === null);

type Rendered = { readonly type: WebhookType; readonly data: object };

/** `undefined` when the payment goes in a direction that has no such event. */
async function render(
  webhook: Webhook,
  platformId: PlatformId,
  db: WriteDb,
  { loadInvitation }: Deps,
): Promise<Rendered | undefined> {
  switch (webhook.object) {
    case 'invitation': {
      const invitation = await loadInvitation(webhook.id);
      invariant(invitation.status !== 'NONE', `${webhook.id} has no events`);
      return { type: webhook.type, data: renderInvitation(invitation, invitation.details.at) };
    }
    case 'endpoint':
      return { type: webhook.type, data: {} };
    case 'transaction':
      return renderPayment(webhook, platformId, db);
    case 'customer': {
      const row = await findCustomer(db, platformId, webhook.id);
      invariant(row, `${webhook.id} has no row`);
      return { type: webhook.type, data: renderCustomer(row, await ownersOf(db, [row])) };
    }
    case 'verification': {
      const row = await findVerification(db, platformId, webhook.id);
      invariant(row, `${webhook.id} has no row`);
      return { type: webhook.type, data: renderVerification(row) };
    }
    case 'agentAction': {
      const action = await findAgentAction(db, webhook.agentId, webhook.id);
      invariant(action, `${webhook.id} has no row`);
      const payment = webhook.creates
        ? rowOfTerms(ofQuote(webhook.creates))
        : await findTransaction(db, platformId, action.transaction_id);
      return { type: webhook.type, data: renderAgentAction(action, payment) };
    }
    case 'internalAccount': {
      const row = await db
        .selectFrom('internal_accounts')
        .selectAll()
        .where('id', '=', webhook.id)
        .executeTakeFirstOrThrow();
      return { type: webhook.type, data: renderInternalAccount(row) };
    }
  }
}

async function renderPayment(
  { id, change, transfersOnly }: Extract<Webhook, { object: 'transaction' }>,
  platformId: PlatformId,
  db: WriteDb,
): Promise<Rendered | undefined> {
  const row = await findTransaction(db, platformId, id);
  invariant(row, `${id} has no row`);
  const type = `${row.type}_PAYMENT.${change}`;
  if (!isWebhookType(type) || (transfersOnly && row.quote_id !== null)) return undefined;
  const data = renderTransaction(row);
  // What the service does not hold of the receiver and needs: nothing in the sandbox.
  return type === 'INCOMING_PAYMENT.PENDING'
    ? { type, data: { ...data, requestedReceiverCustomerInfoFields: [] } }
    : { type, data };
}
