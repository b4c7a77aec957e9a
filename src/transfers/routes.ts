import { rowOfPayment } from '../../projections/transaction-row.ts';
import type { OpenAccount } from '../accounts/account.ts';
import type { Commands } from '../aggregates.ts';
import { railsOf } from '../external-accounts/definitions.ts';
import type { RegisteredExternalAccount } from '../external-accounts/external-account.ts';
import type { Cause } from '../infrastructure/commands/dispatch.ts';
import { Rejected } from '../infrastructure/commands/rejected.ts';
import { type Principal, type Route, routeOn } from '../infrastructure/http/operation.ts';
import { idOf, uuidOf } from '../infrastructure/ids.ts';
import { invariant } from '../infrastructure/invariant.ts';
import { requireEnabled, requireWithinLimits } from '../platforms/limits.ts';
import { loadPlatform } from '../platforms/routes.ts';
import { referenceOf } from '../quotes/create.ts';
import { findAccount, findCustomer } from '../quotes/parties.ts';
import {
  requireActive,
  requireApproved,
  requirePullable,
  requireRoom,
  requireUsable,
} from '../quotes/readiness.ts';
import type { Payments } from '../rails/payments.ts';
import { renderTransaction } from '../transactions/api.ts';
import { debitSource } from '../transactions/debit.ts';
import type { TransferTerms } from '../transactions/events.ts';
import { loadPayment } from '../transactions/routes.ts';
import { transferIn, transferOut } from './api.ts';

type Deps = { readonly commands: Commands; readonly payments: Payments; readonly now: () => Date };
type External = RegisteredExternalAccount['details'];
type Pair = { readonly internal: OpenAccount; readonly external: External };
type Attempt = {
  readonly principal: Principal;
  readonly cause: Cause;
  readonly requestedBy: string;
  readonly uuidFor: (what: string) => string;
  readonly body: {
    readonly amount: bigint;
    readonly remittanceInformation?: string | undefined;
    readonly purposeOfPayment?: string | undefined;
  };
};

export function transferRoutes(deps: Deps): readonly Route[] {
  const { commands } = deps;
  return [
    routeOn(
      transferIn,
      ({ body, principal }) =>
        findPair(commands, principal, body.destination.accountId, body.source.accountId),
      async (request, pair) => {
        const terms = await newTransfer(deps, request, pair, 'IN');
        requireActive(pair.internal, 'destination');
        requireRoom(pair.internal, request.body.amount);
        requirePullable(pair.external);
        await commands.run(
          'transaction',
          uuidOf(terms.transactionId),
          { type: 'CreateTransfer', terms },
          request.cause,
        );
        return answer(deps, request, terms);
      },
    ),
    routeOn(
      transferOut,
      ({ body, principal }) =>
        findPair(commands, principal, body.source.accountId, body.destination.accountId),
      async (request, pair) => {
        const terms = await newTransfer(deps, request, pair, 'OUT', request.body.destination.paymentRail);
        requireNoWallet(pair.internal);
        requireActive(pair.internal, 'source');
        requireUsable(pair.external, 'destination');
        await debit(deps, request, terms);
        return answer(deps, request, terms);
      },
    ),
  ];
}

async function findPair(
  commands: Commands,
  { platformId }: Principal,
  internalId: string,
  externalId: string,
): Promise<Pair> {
  const internal = await findAccount(commands, platformId, internalId);
  const external = await findAccount(commands, platformId, externalId);
  invariant(internal.kind === 'INTERNAL' && external.kind === 'EXTERNAL', 'accounts of the wrong kind');
  return { internal: internal.account, external: external.account };
}

/** Throws `Rejected` where the two accounts do not fit together (completion 10). */
async function newTransfer(
  { commands, now }: Deps,
  { principal, body, uuidFor }: Attempt,
  { internal, external }: Pair,
  direction: 'IN' | 'OUT',
  paymentRail?: string,
): Promise<TransferTerms> {
  const owner = await findCustomer(commands, principal.platformId, internal.customerId);
  requireApproved(owner);
  requireSame(internal, external);
  const platform = await loadPlatform(commands, principal);
  const money = { minor: body.amount, currency: internal.currency };
  requireEnabled(platform, money.currency, direction === 'IN' ? 'INCOMING' : 'OUTGOING');
  requireWithinLimits(platform, money);
  requireRail(external, paymentRail);
  const uuid = uuidFor('transfer');
  const { remittanceInformation, purposeOfPayment } = body;
  const inside = { kind: 'INTERNAL' as const, accountId: internal.accountId };
  const outside = { kind: 'EXTERNAL' as const, accountId: external.externalAccountId };
  const ends =
    direction === 'IN'
      ? { source: outside, destination: inside }
      : { source: inside, destination: { ...outside, ...(paymentRail && { paymentRail }) } };
  return {
    transactionId: idOf('Transaction', uuid),
    platformId: principal.platformId,
    customerId: internal.customerId,
    platformCustomerId: owner?.platformCustomerId ?? null,
    reference: referenceOf(direction === 'IN' ? 'TI' : 'TO', uuid),
    direction,
    ...ends,
    amount: money,
    ...{ remittanceInformation, purposeOfPayment },
    at: now(),
  };
}

function requireSame(internal: OpenAccount, external: External): void {
  if (internal.customerId !== external.customerId) {
    const message = 'must belong to the same owner as the other account';
    const errors = ['source.accountId', 'destination.accountId'].map((field) => ({ field, message }));
    throw new Rejected(
      'INVALID_INPUT',
      'Both accounts must belong to the same customer, or both to the platform.',
      { errors },
    );
  }
  if (internal.currency === external.currency) return;
  const message = `A transfer keeps its currency: one account holds ${internal.currency}, the other ${external.currency}. Use a quote.`;
  throw new Rejected('INVALID_CURRENCY', message, { currencies: [internal.currency, external.currency] });
}

function requireRail({ accountInfo }: External, paymentRail: string | undefined): void {
  const rails = railsOf(accountInfo.accountType);
  if (paymentRail === undefined || rails.some((rail) => rail === paymentRail)) return;
  const message = `must be one of the rails of ${accountInfo.accountType}`;
  throw new Rejected('INVALID_INPUT', `destination.paymentRail ${message}.`, {
    errors: [{ field: 'destination.paymentRail', message, constraint: { enum: [...rails] } }],
  });
}

function requireNoWallet({ accountType }: OpenAccount): void {
  if (accountType !== 'EMBEDDED_WALLET') return;
  const message = 'is an embedded wallet, whose payments need a signature: use a quote';
  throw new Rejected('INVALID_INPUT', `source.accountId ${message}.`, {
    errors: [{ field: 'source.accountId', message }],
  });
}

async function debit(
  { commands }: Deps,
  { cause, requestedBy }: Attempt,
  terms: TransferTerms,
): Promise<void> {
  const { transactionId, source, amount, at } = terms;
  invariant(source.kind === 'INTERNAL', 'a transfer out of an external account');
  const opens = { kind: 'transfer' as const, terms };
  const { accountId } = source;
  const taken = { accountId, transactionId, amount, purpose: 'transfer' as const, opens, requestedBy, at };
  await debitSource(commands, taken, cause);
}

/** What the rail refuses at once shows in the answer. */
async function answer(
  { commands, payments }: Deps,
  { principal, cause }: Attempt,
  { transactionId }: TransferTerms,
) {
  await payments.refuseNow(transactionId, cause);
  const payment = await loadPayment(commands, principal, transactionId);
  return { status: 201, body: renderTransaction(rowOfPayment(payment)) };
}
