import {
  getTrialBalance,
  listCustomerInternalAccounts,
  listPlatformInternalAccounts,
} from '../../api/accounts/operations.ts';
import * as agentActions from '../../api/agents/actions/operations.ts';
import * as deviceCodes from '../../api/agents/device-codes/operations.ts';
import * as agentExternalAccounts from '../../api/agents/me/external-accounts/operations.ts';
import * as agentsThemselves from '../../api/agents/me/operations.ts';
import * as agentPayments from '../../api/agents/me/payments/operations.ts';
import * as agents from '../../api/agents/operations.ts';
import * as checkpoints from '../../api/audit/checkpoints/operations.ts';
import * as audit from '../../api/audit/operations.ts';
import { createOwner, getOwner, listOwners, patchOwner } from '../../api/beneficial-owners/operations.ts';
import { getConsoleHealth } from '../../api/console/health/operations.ts';
import { getTransactionLife } from '../../api/console/life/operations.ts';
import { watchTransactions } from '../../api/console/live/operations.ts';
import * as consoleRequests from '../../api/console/requests/operations.ts';
import { searchById } from '../../api/console/search/operations.ts';
import * as consoleSession from '../../api/console/session/operations.ts';
import {
  createCustomer,
  deleteCustomer,
  eraseCustomer,
  getCustomer,
  listCustomersOperation,
  patchCustomer,
} from '../../api/customers/operations.ts';
import * as documents from '../../api/documents/operations.ts';
import { listExchangeRates } from '../../api/exchange-rates/operations.ts';
import * as externalAccounts from '../../api/external-accounts/operations.ts';
import {
  cancelInvitation,
  claimInvitation,
  createInvitation,
  getInvitation,
} from '../../api/invitations/operations.ts';
import { lookUpAccount, lookUpAddress } from '../../api/lookups/operations.ts';
import type { Operation } from '../../api/operation.ts';
import { getConfig, patchConfig } from '../../api/platforms/operations.ts';
import { createQuote, executeQuote, getQuote } from '../../api/quotes/operations.ts';
import { setExternalAccountStatus, setInternalAccountStatus } from '../../api/sandbox/accounts/operations.ts';
import * as sandboxClock from '../../api/sandbox/clock/operations.ts';
import * as sandboxFaults from '../../api/sandbox/faults/operations.ts';
import { fundInternalAccount, receivePayment, sendFunds } from '../../api/sandbox/operations.ts';
import * as sandboxSnapshots from '../../api/sandbox/snapshots/operations.ts';
import * as sandboxWallet from '../../api/sandbox/wallets/operations.ts';
import * as sandboxWatching from '../../api/sandbox/watching/operations.ts';
import { createToken, deleteToken, getToken, listTokens } from '../../api/tokens/operations.ts';
import {
  approveTransaction,
  confirmReceiptOperation,
  getTransaction,
  listTransactionsOperation,
  rejectTransaction,
} from '../../api/transactions/operations.ts';
import { transferIn, transferOut } from '../../api/transfers/operations.ts';
import {
  createVerification,
  getVerification,
  listVerificationsOperation,
} from '../../api/verifications/operations.ts';
import * as walletAccounts from '../../api/wallets/accounts/operations.ts';
import * as walletCredentials from '../../api/wallets/credentials/operations.ts';
import * as walletSessions from '../../api/wallets/sessions/operations.ts';
import * as walletSignIn from '../../api/wallets/sign-in/operations.ts';
import * as webhooks from '../../api/webhooks/operations.ts';

/** Every operation of the interface, in the order of the documentation. */
export const operations: readonly Operation[] = [
  getConfig,
  patchConfig,
  listCustomersOperation,
  createCustomer,
  getCustomer,
  patchCustomer,
  deleteCustomer,
  eraseCustomer,
  listOwners,
  createOwner,
  getOwner,
  patchOwner,
  documents.listDocumentsOperation,
  documents.uploadDocument,
  documents.getDocument,
  documents.replaceDocument,
  documents.deleteDocument,
  createVerification,
  listVerificationsOperation,
  getVerification,
  listCustomerInternalAccounts,
  listPlatformInternalAccounts,
  getTrialBalance,
  externalAccounts.listCustomerExternalAccounts,
  externalAccounts.createCustomerExternalAccount,
  externalAccounts.getCustomerExternalAccount,
  externalAccounts.deleteCustomerExternalAccount,
  externalAccounts.listPlatformExternalAccounts,
  externalAccounts.createPlatformExternalAccount,
  externalAccounts.getPlatformExternalAccount,
  externalAccounts.deletePlatformExternalAccount,
  transferIn,
  transferOut,
  lookUpAddress,
  lookUpAccount,
  createQuote,
  getQuote,
  executeQuote,
  listTransactionsOperation,
  getTransaction,
  approveTransaction,
  rejectTransaction,
  confirmReceiptOperation,
  createInvitation,
  getInvitation,
  claimInvitation,
  cancelInvitation,
  walletCredentials.listCredentials,
  walletCredentials.addCredential,
  walletCredentials.revokeCredential,
  walletSignIn.challengeCredential,
  walletSignIn.verifyCredential,
  walletSessions.listSessions,
  walletSessions.revokeSession,
  walletSessions.refreshSession,
  walletAccounts.updatePrivacy,
  walletAccounts.exportWallet,
  listTokens,
  createToken,
  getToken,
  deleteToken,
  agents.listAgentsOperation,
  agents.createAgent,
  agents.getAgent,
  agents.changeAgent,
  agents.deleteAgent,
  agents.changeAgentPolicy,
  deviceCodes.createDeviceCode,
  deviceCodes.getDeviceCodeStatus,
  deviceCodes.redeemDeviceCode,
  agentActions.listApprovals,
  agentActions.listDecisions,
  agentActions.approveAction,
  agentActions.rejectAction,
  agentsThemselves.getMe,
  agentsThemselves.listMyTransactions,
  agentsThemselves.getMyTransaction,
  agentPayments.createMyQuote,
  agentPayments.getMyQuote,
  agentPayments.executeMyQuote,
  agentPayments.transferInAsAgent,
  agentPayments.transferOutAsAgent,
  agentsThemselves.listMyActions,
  agentsThemselves.getMyAction,
  agentsThemselves.listMyInternalAccounts,
  agentExternalAccounts.listMyExternalAccounts,
  agentExternalAccounts.createMyExternalAccount,
  agentExternalAccounts.getMyExternalAccount,
  agentExternalAccounts.deleteMyExternalAccount,
  listExchangeRates,
  fundInternalAccount,
  sendFunds,
  receivePayment,
  setInternalAccountStatus,
  setExternalAccountStatus,
  sandboxWallet.issueOidcToken,
  sandboxWallet.getOidcConfiguration,
  sandboxWallet.getOidcKeys,
  sandboxWallet.listEmailsOperation,
  sandboxClock.getClock,
  sandboxClock.freezeClock,
  sandboxClock.advanceClock,
  sandboxClock.resumeClock,
  sandboxWatching.listSandboxWebhooks,
  sandboxWatching.streamEvents,
  sandboxWatching.listOutcomes,
  sandboxFaults.createFault,
  sandboxFaults.listFaults,
  sandboxFaults.deleteFault,
  sandboxSnapshots.createSnapshot,
  sandboxSnapshots.listSnapshots,
  sandboxSnapshots.deleteSnapshot,
  sandboxSnapshots.restoreSnapshot,
  webhooks.sendTestWebhook,
  webhooks.listWebhookEventsOperation,
  webhooks.getWebhookEvent,
  webhooks.redeliverWebhookEvent,
  webhooks.redeliverWebhookEvents,
  webhooks.getWebhookKeys,
  webhooks.rotateWebhookKeys,
  audit.getBalanceAt,
  audit.getStatement,
  audit.getTrialBalanceAt,
  audit.getCustomerHistory,
  audit.getInternalAccountHistory,
  audit.getExternalAccountHistory,
  audit.getTransactionHistory,
  audit.getAgentHistory,
  checkpoints.listCheckpoints,
  checkpoints.getProof,
  consoleSession.createConsoleSession,
  consoleSession.getConsoleSession,
  consoleSession.deleteConsoleSession,
  consoleRequests.listConsoleRequests,
  consoleRequests.getConsoleRequest,
  watchTransactions,
  getTransactionLife,
  searchById,
  getConsoleHealth,
];
