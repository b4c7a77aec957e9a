import { z } from 'zod';
import { internalAccountNotFound } from '../../domain/accounts/account.ts';
import { agentNotFound } from '../../domain/agents/agent.ts';
import { customerNotFound } from '../../domain/customers/customer.ts';
import { externalAccountNotFound } from '../../domain/external-accounts/external-account.ts';
import { transactionNotFound } from '../../domain/payments/not-found.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../kernel/ids.ts';
import { trialBalancesSchema } from '../accounts/render.ts';
import { auditClock } from '../fields/enumerations.ts';
import { lastMoment, moment, pageQuery } from '../fields/fields.ts';
import type { Operation } from '../operation.ts';
import { balanceAtSchema, historyPageSchema, statementSchema } from './render.ts';

const clock = auditClock.default('recorded').meta({
  description: 'Whether a moment is that at which something was recorded, or that at which it happened.',
});
const at = lastMoment.optional();
const account = {
  method: 'get',
  tag: 'Audit',
  permission: ['VIEW'],
  params: z.object({ accountId: idSchema('InternalAccount') }),
  notFound: internalAccountNotFound,
  errors: basicErrors({ 400: ['INVALID_INPUT'], 404: ['REFERENCE_NOT_FOUND'] }),
} as const;

export const getBalanceAt = {
  ...account,
  operationId: 'getBalanceAt',
  path: '/audit/internal-accounts/{accountId}/balance',
  summary: 'Read what an internal account held at a moment',
  description: 'An extension of the interface. Without `at` it is what the account holds now.',
  query: z.object({ at, clock }),
  responses: { 200: { description: 'The balance.', schema: balanceAtSchema } },
} as const satisfies Operation;

export const getStatement = {
  ...account,
  operationId: 'getStatement',
  path: '/audit/internal-accounts/{accountId}/statement',
  summary: 'Read the entries of an internal account between two moments',
  description:
    'An extension of the interface: what the account held before, its entries in the order of the log, and what it held after. Without `from` it begins with the account, without `to` it goes to now.',
  isList: true,
  query: z.object({ from: moment.optional(), to: lastMoment.optional(), clock }).extend(pageQuery),
  responses: { 200: { description: 'A page of the statement.', schema: statementSchema } },
} as const satisfies Operation;

export const getTrialBalanceAt = {
  operationId: 'getTrialBalanceAt',
  method: 'get',
  path: '/audit/trial-balance',
  tag: 'Audit',
  summary: "Read the trial balance of the platform's books at a moment",
  description:
    'An extension of the interface: per currency, what each kind of account held. The total is zero at every moment.',
  permission: ['VIEW'],
  query: z.object({ at, clock }),
  responses: {
    200: {
      description: 'One line per currency.',
      schema: trialBalancesSchema,
    },
  },
  errors: basicErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

const history = {
  method: 'get',
  tag: 'Audit',
  description:
    'An extension of the interface: the events of the object in the log, oldest first, without personal data.',
  permission: ['VIEW'],
  isList: true,
  query: z.object(pageQuery),
  responses: { 200: { description: 'A page of events.', schema: historyPageSchema } },
} as const;

export const getCustomerHistory = {
  ...history,
  operationId: 'getCustomerHistory',
  path: '/audit/customers/{customerId}/history',
  summary: 'Read what happened to a customer',
  params: z.object({ customerId: idSchema('Customer') }),
  notFound: customerNotFound,
  errors: basicErrors({ 400: ['INVALID_INPUT'], 404: ['USER_NOT_FOUND'] }),
} as const satisfies Operation;

const inPaths = basicErrors({ 400: ['INVALID_INPUT'], 404: ['REFERENCE_NOT_FOUND'] });

export const getInternalAccountHistory = {
  ...history,
  operationId: 'getInternalAccountHistory',
  path: '/audit/internal-accounts/{accountId}/history',
  summary: 'Read what happened to an internal account',
  params: z.object({ accountId: idSchema('InternalAccount') }),
  notFound: internalAccountNotFound,
  errors: inPaths,
} as const satisfies Operation;

export const getExternalAccountHistory = {
  ...history,
  operationId: 'getExternalAccountHistory',
  path: '/audit/external-accounts/{externalAccountId}/history',
  summary: 'Read what happened to an external account',
  params: z.object({ externalAccountId: idSchema('ExternalAccount') }),
  notFound: externalAccountNotFound,
  errors: inPaths,
} as const satisfies Operation;

export const getTransactionHistory = {
  ...history,
  operationId: 'getTransactionHistory',
  path: '/audit/transactions/{transactionId}/history',
  summary: 'Read what happened to a payment',
  params: z.object({ transactionId: idSchema('Transaction') }),
  notFound: transactionNotFound,
  errors: basicErrors({ 400: ['INVALID_INPUT'], 404: ['TRANSACTION_NOT_FOUND'] }),
} as const satisfies Operation;

export const getAgentHistory = {
  ...history,
  operationId: 'getAgentHistory',
  path: '/audit/agents/{agentId}/history',
  summary: 'Read what happened to an agent',
  params: z.object({ agentId: idSchema('Agent') }),
  notFound: agentNotFound,
  errors: inPaths,
} as const satisfies Operation;
