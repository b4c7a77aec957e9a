/** What agents ask for, and what their platforms do with them, in a world where processes die. */

import { executionOf } from '../../src/domain/agents/actions/operation.ts';
import type { AgentCommand } from '../../src/domain/agents/agent.ts';
import type { AgentEvent, AgentPolicy, Operation } from '../../src/domain/agents/events.ts';
import type { QuoteTerms } from '../../src/domain/payments/events.ts';
import { type AgentId, idOf, type PlatformId, uuidOf } from '../../src/kernel/ids.ts';
import { agentDetails, policyOf, rates } from '../support/builders/agents.ts';
import { quoteTerms, transferIn, transferOut } from '../support/builders/terms.ts';
import type { World } from './world.ts';

type Created = Extract<AgentEvent, { type: 'AgentCreated' }>['data'];

/** Small enough to be met. */
export const spendingLimits = {
  currency: 'USD',
  perTransactionLimit: 9_000n,
  dailyLimit: 20_000n,
  dailyTransactionLimit: 12,
  monthlyLimit: 50_000n,
} satisfies AgentPolicy['spendingLimits'];
const quoteLifetimeMs = 8_000;

export function agentsOf({ random, clock, ids, events, run, accounts, customers, externalAccounts }: World) {
  const agents = () => events().flatMap((event) => (event.type === 'AgentCreated' ? [event.data] : []));
  const by = 'simulation';
  const tell = (
    { agentId, platformId }: { agentId: AgentId; platformId: PlatformId },
    command: AgentCommand,
  ) => run({ to: 'agent', uuid: uuidOf(agentId), platformId, command });
  const at = () => clock.now();

  const employ = () => {
    const customer = random.pick(customers());
    if (!customer || agents().length >= 4) return undefined;
    const agentId = idOf('Agent', ids.uuid());
    const { platformId, customerId, platformCustomerId } = customer;
    const defaultExecutionMode = random.chance(0.7) ? 'AUTO' : 'APPROVAL_REQUIRED';
    const policy = policyOf({ spendingLimits, defaultExecutionMode });
    const owner = { platformId, agentId, customerId, platformCustomerId };
    const details = agentDetails({ ...owner, policy, at: at() });
    const deviceCode = { deviceCodeId: ids.uuid(), expiresAt: at() };
    return tell(details, { type: 'CreateAgent', details, deviceCode, at: at() });
  };

  const change = () => {
    const one = random.pick(agents());
    if (!one || random.chance(0.5)) return undefined;
    if (random.chance(0.1)) return tell(one, { type: 'DeleteAgent', by, at: at() });
    if (random.chance(0.5))
      return tell(one, { type: 'ChangeAgent', isPaused: random.chance(0.3), mayPay: true, at: at() });
    const defaultExecutionMode = random.chance(0.7) ? ('AUTO' as const) : ('APPROVAL_REQUIRED' as const);
    return tell(one, {
      type: 'ChangePolicy',
      changes: { defaultExecutionMode },
      rates: { table: rates },
      mayPay: true,
      at: at(),
    });
  };

  const ownAccounts = ({ customerId }: Created) => {
    const inside = accounts().filter((one) => one.customerId === customerId && one.currency === 'USD');
    const outside = externalAccounts().filter(
      (one) => one.customerId === customerId && one.currency === 'USD',
    );
    return { inside: random.pick(inside)?.accountId, outside: random.pick(outside)?.externalAccountId };
  };
  const amount = () => ({ minor: BigInt(1 + random.below(10_000)), currency: 'USD' });

  const transferBy = (one: Created, actionId: ReturnType<typeof newActionId>): Operation | undefined => {
    const { inside, outside } = ownAccounts(one);
    if (!inside || !outside) return undefined;
    const [balance, bank] = [
      { kind: 'INTERNAL', accountId: inside } as const,
      { kind: 'EXTERNAL', accountId: outside } as const,
    ];
    const { platformId, customerId, platformCustomerId, agentId } = one;
    const opening = { platformId, customerId, platformCustomerId, at: at(), amount: amount() };
    const transactionId = idOf('Transaction', uuidOf(actionId));
    const common = { ...opening, transactionId, agentAction: { agentId, actionId } };
    return random.chance(0.6)
      ? { type: 'TRANSFER_OUT', transfer: transferOut({ ...common, source: balance, destination: bank }) }
      : { type: 'TRANSFER_IN', transfer: transferIn({ ...common, source: bank, destination: balance }) };
  };

  const newQuoteBy = (one: Created): QuoteTerms | undefined => {
    const { inside, outside } = ownAccounts(one);
    if (!inside || !outside) return undefined;
    const { platformId, customerId, platformCustomerId, agentId } = one;
    const uuid = ids.uuid();
    const sending = amount();
    return quoteTerms({
      platformId,
      customerId,
      platformCustomerId,
      agentId,
      sending,
      at: at(),
      transactionId: idOf('Transaction', uuid),
      quoteId: idOf('Quote', uuid),
      fees: 0n,
      source: random.chance(0.5)
        ? { kind: 'INTERNAL', accountId: inside }
        : { kind: 'EXTERNAL', accountId: outside },
      destination: { kind: 'EXTERNAL', accountId: outside },
      expiresAt: new Date(at().getTime() + quoteLifetimeMs),
    });
  };

  const quote = () => {
    const one = random.pick(agents());
    const terms = one && newQuoteBy(one);
    const to = terms && { to: 'transaction' as const, uuid: uuidOf(terms.transactionId) };
    return to && run({ ...to, platformId: terms.platformId, command: { type: 'CreateQuote', terms } });
  };

  const executionBy = (one: Created): Operation | undefined => {
    const fresh = random.chance(0.4) ? newQuoteBy(one) : undefined;
    const opening = fresh && executionOf(fresh);
    if (fresh) return opening && { ...opening, creates: fresh };
    const mine = events().flatMap(({ type, data }) =>
      type === 'QuoteCreated' && data.agentId === one.agentId ? [data] : [],
    );
    const terms = random.pick(mine.slice(-3));
    return terms && executionOf(terms);
  };

  const newActionId = () => idOf('AgentAction', ids.uuid());
  const submit = () => {
    const one = random.pick(agents());
    if (!one) return undefined;
    const actionId = newActionId();
    const operation = random.chance(0.5) ? transferBy(one, actionId) : executionBy(one);
    return operation && tell(one, { type: 'SubmitAction', actionId, operation, rates, at: at() });
  };

  const decide = () => {
    const asked = events().flatMap((event) => (event.type === 'AgentActionRequested' ? [event.data] : []));
    const action = random.pick(random.chance(0.7) ? asked.slice(-5) : asked);
    const one = action && agents().find(({ agentId }) => agentId === action.agentId);
    if (!one) return undefined;
    const { actionId, operation } = action;
    if (random.chance(0.3))
      return tell(one, { type: 'RejectAction', actionId, rejectionReason: 'No', by, at: at() });
    return tell(one, { type: 'ApproveAction', actionId, operation, rates, by, at: at() });
  };

  /** Days go by, now and then. */
  const sleep = async () => void (random.chance(0.3) && clock.advance(random.below(20 * 3_600_000)));

  return [
    [3, employ],
    [2, change],
    [4, quote],
    [20, submit],
    [6, decide],
    [2, sleep],
  ] as const;
}
