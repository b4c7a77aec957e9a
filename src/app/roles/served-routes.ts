/** The operations that this process serves, put together from the parts that it has. */
import { transactionLists } from '../../../projections/models/transaction-lists.ts';
import type { Health } from '../../api/console/health/ring.ts';
import type { Live } from '../../api/console/live/live.ts';
import type { Operation, Route } from '../../api/operation.ts';
import type { Followers } from '../../api/sandbox/watching/followers.ts';
import type { Faults } from '../../sandbox/faults/faults.ts';
import type { Erasures } from '../../workers/erasure/erasure.ts';
import type { PlatformClocks } from '../../workers/platform-clocks/platform-clocks.ts';
import type { PlatformSnapshots } from '../../workers/platform-snapshots/snapshots.ts';
import type { Webhooks } from '../../workers/webhooks/webhooks.ts';
import type { Config } from '../config.ts';
import { allRoutes } from '../interface/routes.ts';
import type { Core } from '../parts/core/core.ts';
import { provers } from '../parts/provers.ts';
import type { Rails } from '../parts/rails.ts';
import type { Wallets } from '../parts/wallets.ts';

export type RouteParts = {
  readonly rails: Rails;
  readonly webhooks: Webhooks;
  readonly wallets: Wallets;
  /** There in a sandbox only. */
  readonly faults: Faults | undefined;
  readonly snapshots: PlatformSnapshots | undefined;
  readonly erasures: Erasures;
};

/** What goes on beside requests for as long as they are served. */
type Beside = {
  readonly followers: Followers;
  readonly live: Live;
  readonly health: Health;
  readonly platformClocks: PlatformClocks;
};

/** `baseUrl` is the address of the interface for others, which is known once it is listened on. */
export function servedRoutes(
  core: Core,
  { rails, webhooks, wallets, faults, snapshots, erasures }: RouteParts,
  { followers, live, health, platformClocks }: Beside,
  baseUrl: () => string,
): readonly Route[] {
  const { config } = core;
  const { keys: webhookKeys, sender: webhookSender, turns: webhookTurns } = webhooks;
  return allRoutes({
    ...rails,
    ...core,
    ...wallets,
    listTransactions: transactionLists(core.listDb),
    webhookKeys,
    webhookSender,
    webhookTurns,
    askForRedelivery: webhooks.askForRedelivery,
    followers,
    live,
    health,
    faults,
    snapshots,
    erasures,
    platformClocks,
    ...provers(core, baseUrl),
    sessionMs: config.walletSessionMs,
    quoteLifetimeMs: config.quoteLifetimeMs,
    operatorLimits: config.operatorLimits,
    allowPrivateWebhooks: config.webhooks.allowPrivate,
    environment: config.environment,
  }).filter(({ operation }) => isServed(operation, config.environment));
}

/** What takes no credentials cannot tell a sandbox's caller from another: it is there in a sandbox only. */
const isServed = ({ sandboxOnly, authentication }: Operation, environment: Config['environment']) =>
  environment === 'sandbox' || !sandboxOnly || authentication !== 'none';
