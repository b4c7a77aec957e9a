/** Quotes as an agent: the same as the platform's, behind the agent's policy. */

import { executionOf } from '../../../domain/agents/actions/operation.ts';
import { requireAccess } from '../../../domain/agents/authorize.ts';
import type { Operation } from '../../../domain/agents/events.ts';
import type { KnownAgent } from '../../../domain/agents/state.ts';
import type { QuoteTerms } from '../../../domain/payments/events.ts';
import type { Payment } from '../../../domain/payments/life/progress.ts';
import type { QuoteParties } from '../../../domain/payments/parties/parties.ts';
import { newQuote } from '../../../domain/quotes/new-quote.ts';
import type { QuoteRequest } from '../../../domain/quotes/quote-request.ts';
import { idOf } from '../../../kernel/ids.ts';
import { invariant } from '../../../kernel/invariant.ts';
import type { Attempt } from '../../attempt.ts';
import type { WalletSignature } from '../../caller.ts';
import type { FoundAction } from '../../find/agent.ts';
import { loadQuote, type QuotedPayment } from '../../find/quote.ts';
import { requireExecutable } from '../../quotes/executable.ts';
import { openQuote, requireSignature } from '../../quotes/execute.ts';
import { quotePayloadOf } from '../../wallets/payloads.ts';
import { requireMoney, requireOperationAllowed } from './allowed.ts';
import { resumeAction, type SubmitDeps, submit } from './submit.ts';

type Deps = SubmitDeps & { readonly quoteLifetimeMs: number };

/** The quote, executed at once where that is asked for and needs no approval. */
export async function createQuoteAsAgent(
  deps: Deps,
  agent: KnownAgent,
  request: QuoteRequest,
  parties: QuoteParties,
  { cause, uuidFor }: Attempt,
): Promise<Payment> {
  const uuid = uuidFor('quote');
  if (!request.immediatelyExecute)
    return openQuote(deps, newTerms(deps, agent, request, parties, uuid), cause);
  const actionId = idOf('AgentAction', uuidFor('action'));
  const terms = newTerms(deps, agent, request, parties, uuid);
  await submit(deps, agent, actionId, await newExecution(deps, agent, terms), cause);
  return loadQuote(deps.commands, agent.details.platformId, idOf('Quote', uuid));
}

/** The quote that a request of the agent has created before it was cut short. */
export async function resumeQuoteAsAgent(
  deps: SubmitDeps,
  agent: KnownAgent,
  attempt: Attempt,
): Promise<Payment | undefined> {
  await resumeAction(deps, agent, attempt);
  const payment = await deps.commands.load('transaction', attempt.uuidFor('quote'));
  return payment.status === 'NONE' ? undefined : payment;
}

/** Throws `Rejected` (FORBIDDEN) where the policy gives no such access. */
function newTerms(
  { rates, now, quoteLifetimeMs: lifetimeMs, operatorLimits }: Deps,
  agent: KnownAgent,
  request: QuoteRequest,
  parties: QuoteParties,
  uuid: string,
): QuoteTerms {
  requireAccess(agent, {
    permissions: request.immediatelyExecute ? ['CREATE_QUOTES', 'EXECUTE_QUOTES'] : ['CREATE_QUOTES'],
    accountIds: accountsOf(parties),
  });
  const { agentId } = agent.details;
  const chosen = { uuid, lifetimeMs, operatorLimits, agentId, payloadOf: quotePayloadOf, at: now() };
  return newQuote(request, parties, rates.table, chosen);
}

/** The customer's own internal and external accounts that the quote takes from or pays to. */
function accountsOf({ source, destination }: QuoteParties): string[] {
  const from =
    source.kind === 'INTERNAL'
      ? [source.account.accountId]
      : source.kind === 'EXTERNAL'
        ? [source.account.externalAccountId]
        : [];
  return destination.kind === 'INTERNAL' ? [...from, destination.account.accountId] : from;
}

/** The execution of a quote that it creates. */
async function newExecution(deps: Deps, agent: KnownAgent, terms: QuoteTerms): Promise<Operation> {
  const execution = executionOf(terms);
  invariant(execution, 'a quote that is paid for from outside, executed at once');
  const operation = { ...execution, creates: terms };
  const mode = requireOperationAllowed(deps, agent, operation);
  await requireMoney(deps, operation, mode);
  return operation;
}

export async function executeQuoteAsAgent(
  deps: SubmitDeps,
  agent: KnownAgent,
  quote: QuotedPayment,
  { cause, uuidFor, signature }: Attempt & { readonly signature: WalletSignature },
): Promise<FoundAction> {
  const signedBy = await requireSignature(deps, quote.terms.quote, { signature });
  const actionId = idOf('AgentAction', uuidFor('action'));
  const operation = { ...(await execution(deps, agent, quote)), ...(signedBy && { signedBy }) };
  return submit(deps, agent, actionId, operation, cause);
}

/** The execution of a quote that is there. What the policy says comes before what the quote says. */
async function execution(deps: SubmitDeps, agent: KnownAgent, quote: QuotedPayment) {
  const operation = executionOf(quote.terms.quote);
  if (!operation) {
    requireAccess(agent, { permissions: ['EXECUTE_QUOTES'], accountIds: [] });
    await requireExecutable(deps, quote);
    invariant(false, 'a quote that is paid for from outside can be executed');
  }
  const mode = requireOperationAllowed(deps, agent, operation);
  await requireExecutable(deps, quote);
  await requireMoney(deps, operation, mode);
  return operation;
}
