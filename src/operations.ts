import {
  getTrialBalance,
  listCustomerInternalAccounts,
  listPlatformInternalAccounts,
} from './accounts/api.ts';
import * as agentsThemselves from './agents/me-operations.ts';
import * as agents from './agents/operations.ts';
import {
  createCustomer,
  deleteCustomer,
  getCustomer,
  listCustomersOperation,
  patchCustomer,
} from './customers/operations.ts';
import * as documents from './documents/api.ts';
import { listExchangeRates } from './exchange-rates/api.ts';
import * as externalAccounts from './external-accounts/api.ts';
import type { Operation } from './infrastructure/http/operation.ts';
import { cancelInvitation, claimInvitation, createInvitation, getInvitation } from './invitations/api.ts';
import { lookUpAccount, lookUpAddress } from './lookups/api.ts';
import { getConfig, patchConfig } from './platforms/api.ts';
import { createQuote, executeQuote, getQuote } from './quotes/operations.ts';
import { fundInternalAccount, receivePayment, sendFunds } from './sandbox/api.ts';
import * as sandboxWallet from './sandbox/wallet-api.ts';
import { createToken, deleteToken, getToken, listTokens } from './tokens/api.ts';
import {
  approveTransaction,
  getTransaction,
  listTransactionsOperation,
  rejectTransaction,
} from './transactions/operations.ts';
import { transferIn, transferOut } from './transfers/api.ts';
import { createVerification, getVerification, listVerificationsOperation } from './verification/api.ts';
import { createOwner, getOwner, listOwners, patchOwner } from './verification/owner-api.ts';
import * as walletAuth from './wallet-auth/operations.ts';
import * as webhooks from './webhooks/api.ts';

/** Every operation of the interface, in the order of the documentation. */
export const operations: readonly Operation[] = [
  getConfig,
  patchConfig,
  listCustomersOperation,
  createCustomer,
  getCustomer,
  patchCustomer,
  deleteCustomer,
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
  createInvitation,
  getInvitation,
  claimInvitation,
  cancelInvitation,
  walletAuth.listCredentials,
  walletAuth.addCredential,
  walletAuth.revokeCredential,
  walletAuth.challengeCredential,
  walletAuth.verifyCredential,
  walletAuth.listSessions,
  walletAuth.revokeSession,
  walletAuth.refreshSession,
  walletAuth.updatePrivacy,
  walletAuth.exportWallet,
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
  agents.createDeviceCode,
  agents.getDeviceCodeStatus,
  agents.redeemDeviceCode,
  agents.listApprovals,
  agents.approveAction,
  agents.rejectAction,
  agentsThemselves.getMe,
  agentsThemselves.listMyTransactions,
  agentsThemselves.getMyTransaction,
  agentsThemselves.createMyQuote,
  agentsThemselves.getMyQuote,
  agentsThemselves.executeMyQuote,
  agentsThemselves.transferInAsAgent,
  agentsThemselves.transferOutAsAgent,
  agentsThemselves.listMyActions,
  agentsThemselves.getMyAction,
  agentsThemselves.listMyInternalAccounts,
  agentsThemselves.listMyExternalAccounts,
  agentsThemselves.createMyExternalAccount,
  agentsThemselves.getMyExternalAccount,
  agentsThemselves.deleteMyExternalAccount,
  listExchangeRates,
  fundInternalAccount,
  sendFunds,
  receivePayment,
  sandboxWallet.issueOidcToken,
  sandboxWallet.getOidcConfiguration,
  sandboxWallet.getOidcKeys,
  sandboxWallet.listEmailsOperation,
  webhooks.sendTestWebhook,
  webhooks.listWebhookEventsOperation,
  webhooks.getWebhookEvent,
  webhooks.redeliverWebhookEvent,
  webhooks.redeliverWebhookEvents,
  webhooks.getWebhookKeys,
  webhooks.rotateWebhookKeys,
];
