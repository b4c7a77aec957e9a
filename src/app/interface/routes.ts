import type { ReadDb } from '../../../projections/database.ts';
import type { ListTransactions } from '../../../projections/models/transaction-lists.ts';
import { accountRoutes } from '../../api/accounts/routes.ts';
import { approvalRoutes } from '../../api/agents/actions/routes.ts';
import { deviceCodeRoutes } from '../../api/agents/device-codes/routes.ts';
import { agentExternalAccountRoutes } from '../../api/agents/me/external-accounts/routes.ts';
import { agentPaymentRoutes } from '../../api/agents/me/payments/routes.ts';
import { agentOwnRoutes } from '../../api/agents/me/routes.ts';
import { agentRoutes } from '../../api/agents/routes.ts';
import { checkpointRoutes } from '../../api/audit/checkpoints/routes.ts';
import { auditRoutes } from '../../api/audit/routes.ts';
import { ownerRoutes } from '../../api/beneficial-owners/routes.ts';
import type { Health } from '../../api/console/health/ring.ts';
import { consoleHealthRoutes } from '../../api/console/health/routes.ts';
import { consoleLifeRoutes } from '../../api/console/life/routes.ts';
import type { Live } from '../../api/console/live/live.ts';
import { consoleLiveRoutes } from '../../api/console/live/routes.ts';
import { consoleRequestRoutes } from '../../api/console/requests/routes.ts';
import { consoleSearchRoutes } from '../../api/console/search/routes.ts';
import { consoleSessionRoutes } from '../../api/console/session/routes.ts';
import { customerRoutes } from '../../api/customers/routes.ts';
import { documentRoutes } from '../../api/documents/routes.ts';
import { exchangeRateRoutes } from '../../api/exchange-rates/routes.ts';
import { externalAccountRoutes } from '../../api/external-accounts/routes.ts';
import { invitationRoutes } from '../../api/invitations/routes.ts';
import { lookupRoutes } from '../../api/lookups/routes.ts';
import type { Route } from '../../api/operation.ts';
import { platformRoutes } from '../../api/platforms/routes.ts';
import { quoteRoutes } from '../../api/quotes/routes.ts';
import { sandboxAccountRoutes } from '../../api/sandbox/accounts/routes.ts';
import { sandboxClockRoutes } from '../../api/sandbox/clock/routes.ts';
import { sandboxFaultRoutes } from '../../api/sandbox/faults/routes.ts';
import { withFaults } from '../../api/sandbox/faults/with-faults.ts';
import { forSandboxPlatforms } from '../../api/sandbox/only.ts';
import { sandboxRoutes } from '../../api/sandbox/routes.ts';
import { sandboxSnapshotRoutes } from '../../api/sandbox/snapshots/routes.ts';
import { sandboxWalletRoutes } from '../../api/sandbox/wallets/routes.ts';
import type { Followers } from '../../api/sandbox/watching/followers.ts';
import { sandboxWatchingRoutes } from '../../api/sandbox/watching/routes.ts';
import { tokenRoutes } from '../../api/tokens/routes.ts';
import { transactionRoutes } from '../../api/transactions/routes.ts';
import { transferRoutes } from '../../api/transfers/routes.ts';
import { verificationRoutes } from '../../api/verifications/routes.ts';
import { walletAccountRoutes } from '../../api/wallets/accounts/routes.ts';
import { credentialRoutes } from '../../api/wallets/credentials/routes.ts';
import { sessionRoutes } from '../../api/wallets/sessions/routes.ts';
import { signInRoutes } from '../../api/wallets/sign-in/routes.ts';
import { webhookRoutes } from '../../api/webhooks/routes.ts';
import type { Rates } from '../../domain/money/rates.ts';
import type { OperatorLimits } from '../../domain/platforms/outflow-limits.ts';
import type { DomainRecords } from '../../domain/ports/domain-records.ts';
import type { PlatformTimes } from '../../infrastructure/clock/platform-times.ts';
import type { UntilAllShown } from '../../infrastructure/event-store/all-shown.ts';
import type { EventStore } from '../../infrastructure/event-store/event-store.ts';
import type { Listening } from '../../infrastructure/postgres/listen.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import type { Sealer } from '../../infrastructure/secrets/sealing.ts';
import type { Faults } from '../../sandbox/faults/faults.ts';
import type { SandboxIssuer } from '../../sandbox/oidc-issuer.ts';
import type { AgentCredentials } from '../../use-cases/agents/credentials.ts';
import type { Redemptions } from '../../use-cases/agents/redemptions.ts';
import type { Commands } from '../../use-cases/commands.ts';
import type { ConsoleSessions } from '../../use-cases/console/sessions.ts';
import type { ScreeningOf } from '../../use-cases/customers/bounded-screening.ts';
import type { DocumentContents } from '../../use-cases/documents/contents.ts';
import type { Payees } from '../../use-cases/find/payees.ts';
import type { EnvironmentOf } from '../../use-cases/find/platform.ts';
import type { Receivers } from '../../use-cases/find/receivers.ts';
import type { LocalPayments } from '../../use-cases/payments/local-payments.ts';
import type { BoundedRail } from '../../use-cases/payments/rail-payments/bounded-rail.ts';
import type { Payments } from '../../use-cases/payments/rail-payments/rail-payments.ts';
import type { Tokens } from '../../use-cases/tokens/tokens.ts';
import type { CodeDeps } from '../../use-cases/wallets/codes/codes.ts';
import type { RecoveryPhrases } from '../../use-cases/wallets/phrases.ts';
import type { ProofDeps } from '../../use-cases/wallets/proofs.ts';
import type { Erasures } from '../../workers/erasure/erasure.ts';
import type { Emails } from '../../workers/mail/outbox.ts';
import type { PlatformClocks } from '../../workers/platform-clocks/platform-clocks.ts';
import type { PlatformSnapshots } from '../../workers/platform-snapshots/snapshots.ts';
import type { WebhookKeys } from '../../workers/webhooks/keys.ts';
import type { Sender } from '../../workers/webhooks/send.ts';
import type { Turns } from '../../workers/webhooks/turns.ts';
import type { Webhooks } from '../../workers/webhooks/webhooks.ts';
import { operations } from './operations.ts';

const operationIds: ReadonlySet<string> = new Set(operations.map(({ operationId }) => operationId));

type Deps = CodeDeps &
  ProofDeps & {
    readonly rail: BoundedRail;
    readonly payments: Payments;
    readonly local: LocalPayments;
    readonly receivers: Receivers;
    readonly payees: Payees;
    readonly commands: Commands;
    readonly agentCredentials: AgentCredentials;
    readonly redemptions: Redemptions;
    readonly readDb: ReadDb;
    readonly listDb: ReadDb;
    readonly pool: Pool;
    readonly store: EventStore;
    readonly untilAllShown: UntilAllShown;
    readonly listening: Listening;
    readonly followers: Followers;
    readonly live: Live;
    readonly health: Health;
    readonly listTransactions: ListTransactions;
    readonly screeningOf: ScreeningOf;
    readonly domainRecords: DomainRecords;
    readonly environmentOf: EnvironmentOf;
    readonly contents: DocumentContents;
    readonly rates: Rates;
    readonly sealer: Sealer;
    readonly now: () => Date;
    readonly times: PlatformTimes;
    readonly quoteLifetimeMs: number;
    readonly operatorLimits: OperatorLimits;
    readonly tokens: Tokens;
    readonly consoleSessions: ConsoleSessions;
    readonly webhookKeys: WebhookKeys;
    readonly webhookSender: Sender;
    readonly webhookTurns: Turns;
    readonly askForRedelivery: Webhooks['askForRedelivery'];
    readonly allowPrivateWebhooks: boolean;
    readonly phrases: RecoveryPhrases;
    readonly emails: Emails;
    readonly sandboxIssuer: SandboxIssuer;
    readonly sessionMs: number;
    readonly platformClocks: PlatformClocks;
    readonly snapshots: PlatformSnapshots | undefined;
    readonly erasures: Erasures;
    /** There in a sandbox only. */
    readonly faults: Faults | undefined;
  };

/** Every operation with what it does: the same operations that `operations.ts` lists. */
export function allRoutes(deps: Deps): readonly Route[] {
  const routes = routesOf(deps).map(forSandboxPlatforms(deps.environmentOf));
  return deps.faults ? routes.map(withFaults(deps.faults)) : routes;
}

const routesOf = (deps: Deps): readonly Route[] => [
  // What one platform holds is compared with what others do: by the clock of the installation.
  ...platformRoutes({ ...deps, now: deps.installationNow }),
  ...customerRoutes(deps),
  ...ownerRoutes(deps),
  ...documentRoutes(deps),
  ...verificationRoutes(deps),
  ...accountRoutes(deps),
  ...externalAccountRoutes(deps),
  ...transferRoutes(deps),
  ...lookupRoutes(deps),
  ...quoteRoutes(deps),
  ...transactionRoutes(deps),
  ...invitationRoutes(deps),
  ...credentialRoutes(deps),
  ...signInRoutes(deps),
  ...sessionRoutes(deps),
  ...walletAccountRoutes(deps),
  ...tokenRoutes({ ...deps, now: deps.installationNow }),
  ...agentRoutes(deps),
  ...deviceCodeRoutes(deps),
  ...approvalRoutes(deps),
  ...agentOwnRoutes(deps),
  ...agentExternalAccountRoutes(deps),
  ...agentPaymentRoutes(deps),
  ...exchangeRateRoutes(deps),
  ...sandboxRoutes(deps),
  ...sandboxAccountRoutes(deps),
  ...sandboxWalletRoutes(deps),
  ...sandboxClockRoutes(deps),
  ...sandboxWatchingRoutes(deps),
  ...sandboxFaultRoutes({ ...deps, operationIds }),
  ...sandboxSnapshotRoutes(deps),
  ...webhookRoutes(deps),
  // The log was written by the clock of the installation.
  ...auditRoutes({ ...deps, now: deps.installationNow }),
  ...checkpointRoutes(deps),
  ...consoleSessionRoutes(deps),
  ...consoleRequestRoutes(deps),
  ...consoleLiveRoutes(deps),
  ...consoleLifeRoutes(deps),
  ...consoleSearchRoutes(deps),
  ...consoleHealthRoutes(deps),
];
