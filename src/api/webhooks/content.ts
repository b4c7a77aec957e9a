/**
 * Writes what the platform is to hear, in the transaction in which the read models learn of the event: `data` is what
 * the GET answers as of exactly that event. Each event of the log is written once, however often it is seen.
 */

import type { WriteDb } from '../../../projections/database.ts';
import { appendWebhookEvents, wakeWebhooks } from '../../../projections/kept/webhook-events.ts';
import { rowOfAction } from '../../../projections/models/agent-actions.ts';
import { ownersOf } from '../../../projections/models/beneficial-owners.ts';
import { rowOfCustomer } from '../../../projections/models/customers.ts';
import { readExternalAccount } from '../../../projections/models/external-accounts.ts';
import { readAccount, rowOfAccount } from '../../../projections/models/internal-accounts.ts';
import { rowOfPayment, rowOfTerms } from '../../../projections/models/transaction-row.ts';
import { findTransaction, receivingSideRow } from '../../../projections/models/transactions.ts';
import { rowOfVerification } from '../../../projections/models/verifications.ts';
import { endsDelivery, findWebhookEndpoint } from '../../../projections/models/webhook-endpoints.ts';
import { type Projection, platformOf } from '../../../projections/projector/projection.ts';
import type { Rows } from '../../../projections/projector/rows.ts';
import type { TransactionRow } from '../../../projections/tables/transactions.ts';
import { canBePaidIn } from '../../domain/accounts/funding-instructions.ts';
import { changesTotal } from '../../domain/accounts/held-credits.ts';
import type { OpenAccount } from '../../domain/accounts/state.ts';
import type { KnownAgent } from '../../domain/agents/state.ts';
import type { FollowedEvent } from '../../domain/aggregates.ts';
import type { KnownCustomer } from '../../domain/customers/customer.ts';
import type { Payment } from '../../domain/payments/life/progress.ts';
import { incomingOf, ofQuote } from '../../domain/payments/terms.ts';
import type { Environment } from '../../domain/platforms/events.ts';
import { type Webhook, webhooksOf } from '../../domain/webhooks/told.ts';
import { isWebhookType, type WebhookType } from '../../domain/webhooks/types.ts';
import { rememberNewest } from '../../infrastructure/remembered/newest.ts';
import { platformTimeOf } from '../../kernel/aggregate.ts';
import { derivedUuid, idOf, type PlatformId } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { stringify } from '../../kernel/json.ts';
import { renderInternalAccount } from '../accounts/render.ts';
import { renderAgentAction } from '../agents/actions/render.ts';
import { renderCustomer } from '../customers/render.ts';
import { renderExternalAccount } from '../external-accounts/render.ts';
import { renderInvitation } from '../invitations/render.ts';
import { renderTransaction } from '../transactions/render.ts';
import { renderVerification } from '../verifications/render.ts';

/** Platforms whose endpoint is remembered. */
export const rememberedMax = 10_000;

/**
 * Events up to the position `after` are told to nobody: they were told before. Not so what was set aside, and what comes
 * after it in its stream, as a backup has it after a restore.
 */
export function createOutbox(after: bigint, environment: Environment): Projection {
  const endpoints = rememberNewest<PlatformId, { readonly isSet: boolean }>(rememberedMax);
  const hasEndpoint = (platformId: PlatformId, rows: Rows): boolean | Promise<boolean> =>
    endpoints.get(platformId)?.isSet ?? findEndpoint(platformId, rows);
  const findEndpoint = async (platformId: PlatformId, rows: Rows): Promise<boolean> => {
    const isSet = (await rows.now((db) => findWebhookEndpoint(db, platformId))) !== undefined;
    endpoints.set(platformId, { isSet });
    return isSet;
  };
  return {
    name: 'webhooks',
    tables: ['webhook_events'],
    forget: () => endpoints.clear(),
    ...(after > 0n && { again: createOutbox(0n, environment) }),
    project(event, rows) {
      const platformId = platformOf(event);
      if (event.of === 'platform') endpoints.delete(platformId);
      if (event.position <= after || event.metadata.copyOf !== undefined) return undefined;
      if (endsDelivery(event)) rows.later(wakeOnce, platformId);
      const webhooks = webhooksOf(event);
      const isTold = webhooks.length > 0 && hasEndpoint(platformId, rows);
      return isTold === false ? undefined : tell(event, webhooks, isTold, { rows, environment });
    },
  };
}

/** Where it goes: into which rows, of which installation. */
type Place = { readonly rows: Rows; readonly environment: Environment };

/** Adds to the outbox what the endpoint of the event's platform is to be told, where it has one. */
async function tell(
  event: FollowedEvent,
  webhooks: readonly Webhook[],
  hasEndpoint: boolean | Promise<boolean>,
  to: Place,
): Promise<void> {
  if (!(await hasEndpoint)) return;
  const platformId = platformOf(event);
  const at = platformTimeOf(event.metadata);
  let n = 0;
  for (const webhook of webhooks) {
    for (const { type, data, about } of await render(webhook, event, to))
      to.rows.later(appendWebhookEvents, {
        id: idOf('Webhook', derivedUuid('webhook', event.id, type)),
        platform_id: platformId,
        type,
        object_id: about ?? webhook.id,
        body: stringify(data),
        position: event.position,
        n: n++,
        at,
      });
  }
}

/** A worker cancels what is pending. */
const wakeOnce = async (_platforms: readonly PlatformId[], db: WriteDb) => void (await wakeWebhooks(db));

type Rendered = {
  readonly type: WebhookType;
  readonly data: object;
  /** Where it is about something else than what the event has changed. */
  readonly about?: string;
};

/** As of exactly this event, where that shows something new. A payment gives one webhook for each of its sides, and none where its direction has no such type. */
async function render(webhook: Webhook, event: FollowedEvent, to: Place): Promise<readonly Rendered[]> {
  if (!isNews(event)) return [];
  if (webhook.object === 'internalAccount' && webhook.ofPayIns && !isPaidIn(event, to)) return [];
  if (webhook.object !== 'transaction') return [await renderOne(webhook, event, to)];
  invariant(event.of === 'transaction' && event.state.status !== 'NONE', 'a payment without a state');
  const receiving = await receivingSideRow(event.state, to.rows);
  const sides = [rowOfPayment(event.state), ...(receiving ? [receiving] : [])];
  const { terms } = event.state;
  return sides.flatMap((row) => renderPayment(webhook, row, terms));
}

/** Whether the account has funding instructions, whenever it is active. */
const isPaidIn = (event: FollowedEvent, { environment }: Place): boolean =>
  event.of === 'account' &&
  event.state.status !== 'none' &&
  event.state.accountType !== 'EMBEDDED_WALLET' &&
  canBePaidIn(event.state.currency, environment);

/** Whether the object shows something else since the event: there may be new documents, or a total that is the most there is. */
function isNews(event: FollowedEvent): boolean {
  if (event.of === 'verification') return event.state.status !== 'none' && event.state.isNews;
  const holds = event.type === 'CreditHeld' || event.type === 'CreditRefused';
  return !holds || (event.state.status !== 'none' && changesTotal(event, event.state));
}

async function renderOne(
  webhook: Exclude<Webhook, { object: 'transaction' }>,
  event: FollowedEvent,
  { rows, environment }: Place,
): Promise<Rendered> {
  switch (webhook.object) {
    case 'endpoint':
      return { type: webhook.type, data: {} };
    case 'invitation':
      invariant(event.of === 'invitation' && event.state.status !== 'NONE', 'an invitation without a state');
      return { type: webhook.type, data: renderInvitation(event.state, event.state.details.at) };
    case 'externalAccount': {
      const row = await rows.now((db) => readExternalAccount(db, webhook.id));
      return { type: webhook.type, data: renderExternalAccount(row) };
    }
    case 'customer':
      invariant(event.of === 'customer' && event.state.status !== 'none', 'a customer without a state');
      return { type: webhook.type, data: await customerData(event.state, rows) };
    case 'verification':
      invariant(
        event.of === 'verification' && event.state.status !== 'none',
        'a verification without a state',
      );
      return { type: webhook.type, data: renderVerification(rowOfVerification(event.state)) };
    case 'agentAction':
      invariant(event.of === 'agent' && event.state.status !== 'NONE', 'an action without its agent');
      return { type: webhook.type, data: await actionData(webhook, event.state, rows) };
    case 'internalAccount':
      invariant(event.of === 'account' && event.state.status !== 'none', 'an account without a state');
      return {
        type: webhook.type,
        data: renderInternalAccount(await accountRow(event.state, rows), environment),
      };
  }
}

async function customerData(state: KnownCustomer, rows: Rows) {
  const row = rowOfCustomer(state);
  const owners = state.customerType === 'BUSINESS' ? await rows.now((db) => ownersOf(db, [row])) : [];
  return renderCustomer(row, owners);
}

type ActionWebhook = Extract<Webhook, { object: 'agentAction' }>;

async function actionData({ id, creates }: ActionWebhook, agent: KnownAgent, rows: Rows) {
  const action = agent.actions.get(id);
  invariant(action, `${id} is no action of its agent`);
  const row = rowOfAction(agent, id, action);
  const payment = creates
    ? rowOfTerms(ofQuote(creates))
    : await rows.now((db) => findTransaction(db, row.platform_id, row.transaction_id));
  return renderAgentAction(row, payment);
}

/** Whether a wallet is kept private is in a stream of its own. */
async function accountRow(state: OpenAccount, rows: Rows) {
  const isWallet = state.accountType === 'EMBEDDED_WALLET';
  return isWallet ? rows.now((db) => readAccount(db, state.accountId)) : rowOfAccount(state);
}

function renderPayment(
  { change, transfersOnly }: Extract<Webhook, { object: 'transaction' }>,
  row: TransactionRow,
  terms: Payment['terms'],
): readonly Rendered[] {
  const type = `${row.type}_PAYMENT.${change}`;
  if (!isWebhookType(type) || (transfersOnly && row.quote_id !== null)) return [];
  const data = renderTransaction(row);
  const about = row.id;
  if (type !== 'INCOMING_PAYMENT.PENDING') return [{ type, data, about }];
  const { requestedReceiverCustomerInfoFields = [] } = incomingOf(terms) ?? {};
  return [{ type, data: { ...data, requestedReceiverCustomerInfoFields }, about }];
}
