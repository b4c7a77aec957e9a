import type { ReadDb } from '../projections/database.ts';
import { accountRoutes } from './accounts/routes.ts';
import { approvalRoutes } from './agents/approvals.ts';
import type { AgentCredentials } from './agents/credentials.ts';
import { agentPaymentRoutes } from './agents/me-payments.ts';
import { agentOwnRoutes } from './agents/me-routes.ts';
import { agentRoutes } from './agents/routes.ts';
import type { Commands } from './aggregates.ts';
import { customerRoutes } from './customers/routes.ts';
import type { DocumentContents } from './documents/contents.ts';
import { documentRoutes } from './documents/routes.ts';
import type { Rates } from './exchange-rates/rates.ts';
import { exchangeRateRoutes } from './exchange-rates/routes.ts';
import { externalAccountRoutes } from './external-accounts/routes.ts';
import type { Route } from './infrastructure/http/operation.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { lookupRoutes } from './lookups/routes.ts';
import { platformRoutes } from './platforms/routes.ts';
import { quoteRoutes } from './quotes/routes.ts';
import type { LocalPayments } from './rails/local-payments.ts';
import type { PaymentRail } from './rails/payment-rail.ts';
import type { Payments } from './rails/payments.ts';
import type { Receivers } from './rails/receivers.ts';
import type { SandboxIssuer } from './sandbox/oidc-issuer.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { sandboxWalletRoutes } from './sandbox/wallet-routes.ts';
import { tokenRoutes } from './tokens/routes.ts';
import type { Tokens } from './tokens/tokens.ts';
import { transactionRoutes } from './transactions/routes.ts';
import { transferRoutes } from './transfers/routes.ts';
import { ownerRoutes } from './verification/owner-routes.ts';
import { verificationRoutes } from './verification/routes.ts';
import type { Screening } from './verification/screening.ts';
import { walletAccountRoutes } from './wallet-auth/account-routes.ts';
import type { CodeDeps } from './wallet-auth/codes.ts';
import { credentialRoutes } from './wallet-auth/credentials.ts';
import type { ProofDeps } from './wallet-auth/proofs.ts';
import { sessionRoutes } from './wallet-auth/sessions.ts';
import { signInRoutes } from './wallet-auth/sign-in.ts';
import type { RecoveryPhrases } from './wallets/phrases.ts';
import type { WebhookKeys } from './webhooks/keys.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import type { Sender } from './webhooks/send.ts';
import type { DeliveryStore } from './webhooks/store.ts';

type Deps = CodeDeps &
  ProofDeps & {
    readonly rail: PaymentRail;
    readonly payments: Payments;
    readonly local: LocalPayments;
    readonly receivers: Receivers;
    readonly commands: Commands;
    readonly agentCredentials: AgentCredentials;
    readonly readDb: ReadDb;
    readonly screening: Screening;
    readonly contents: DocumentContents;
    readonly rates: Rates;
    readonly now: () => Date;
    readonly quoteLifetimeMs: number;
    readonly tokens: Tokens;
    readonly webhookKeys: WebhookKeys;
    readonly webhookSender: Sender;
    readonly webhookStore: DeliveryStore;
    readonly allowPrivateWebhooks: boolean;
    readonly phrases: RecoveryPhrases;
    readonly sandboxIssuer: SandboxIssuer;
    readonly sessionMs: number;
  };

/** Every operation with what it does: the same operations that `operations.ts` lists. */
export const allRoutes = (deps: Deps): readonly Route[] => [
  ...platformRoutes(deps),
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
  ...tokenRoutes(deps),
  ...agentRoutes(deps),
  ...approvalRoutes(deps),
  ...agentOwnRoutes(deps),
  ...agentPaymentRoutes(deps),
  ...exchangeRateRoutes(deps),
  ...sandboxRoutes(deps),
  ...sandboxWalletRoutes(deps),
  ...webhookRoutes(deps),
];
