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
import { consoleHealthRoutes } from '../../api/console/health/routes.ts';
import { consoleLifeRoutes } from '../../api/console/life/routes.ts';
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
import { canBeHit, withFaults } from '../../api/sandbox/faults/with-faults.ts';
import { refusingRoutes } from '../../api/sandbox/only.ts';
import { sandboxRoutes } from '../../api/sandbox/routes.ts';
import { sandboxSnapshotRoutes } from '../../api/sandbox/snapshots/routes.ts';
import { sandboxWalletRoutes } from '../../api/sandbox/wallets/routes.ts';
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
import type { Faults } from '../../sandbox/faults/faults.ts';
import { operations } from './operations.ts';

const operationIds: ReadonlySet<string> = new Set(
  operations.filter(canBeHit).map(({ operationId }) => operationId),
);

type Routes<Deps> = (deps: Deps) => readonly Route[];

/** What one platform holds is compared with what others do, and the log was written by the clock of the installation. */
const byInstallationClock =
  <Deps extends { readonly now: () => Date }>(routes: Routes<Deps>) =>
  (deps: Deps & { readonly installationNow: () => Date }) =>
    routes({ ...deps, now: deps.installationNow });

const faultRoutes = (deps: Omit<Parameters<typeof sandboxFaultRoutes>[0], 'operationIds'>) =>
  sandboxFaultRoutes({ ...deps, operationIds });

/** The same operations that `operations.ts` lists. */
const resources = [
  byInstallationClock(platformRoutes),
  customerRoutes,
  ownerRoutes,
  documentRoutes,
  verificationRoutes,
  accountRoutes,
  externalAccountRoutes,
  transferRoutes,
  lookupRoutes,
  quoteRoutes,
  transactionRoutes,
  invitationRoutes,
  credentialRoutes,
  signInRoutes,
  sessionRoutes,
  walletAccountRoutes,
  byInstallationClock(tokenRoutes),
  agentRoutes,
  deviceCodeRoutes,
  approvalRoutes,
  agentOwnRoutes,
  agentExternalAccountRoutes,
  agentPaymentRoutes,
  exchangeRateRoutes,
  sandboxRoutes,
  sandboxAccountRoutes,
  sandboxWalletRoutes,
  sandboxClockRoutes,
  sandboxWatchingRoutes,
  faultRoutes,
  sandboxSnapshotRoutes,
  webhookRoutes,
  byInstallationClock(auditRoutes),
  checkpointRoutes,
  consoleSessionRoutes,
  consoleRequestRoutes,
  consoleLiveRoutes,
  consoleLifeRoutes,
  consoleSearchRoutes,
  consoleHealthRoutes,
];

/** What the operations need: each resource says so itself. */
type Deps = ((typeof resources)[number] extends Routes<infer Needed> ? Needed : never) & {
  /** There in a sandbox only. */
  readonly faults: Faults | undefined;
};

/** Every operation with what it does. */
export function allRoutes(deps: Deps): readonly Route[] {
  const built = resources.flatMap((routesOf) => routesOf(deps));
  const routes = [...built, ...refusingRoutes(operations, built)];
  return deps.faults ? routes.map(withFaults(deps.faults)) : routes;
}
