/**
 * Puts waiting payments into orders for the bank. An order is planned, its payments are taken, its file is staged and
 * then shown by moving it, and their payees are forgotten: whatever stops the process, the next turn finishes each open order where it stood, and no
 * payment is in two. An order that cannot be written now stays open, and holds up no other.
 */
import type { RailLog } from '../../../domain/ports/rail-module.ts';
import type { Ids } from '../../../kernel/ids.ts';
import { invariant } from '../../../kernel/invariant.ts';
import { inParts } from '../../../kernel/parts.ts';
import { compact, type OpenPlan, type Orders, type Plan } from '../files/orders.ts';
import type { Facts, Payments } from '../files/payments.ts';
import type { CreditTransfer } from '../messages/model.ts';
import type { WriteTransfers } from './order-writer.ts';

type Deps = {
  readonly payments: Payments;
  readonly orders: Orders;
  readonly write: WriteTransfers;
  /** In one order; more go into the next. */
  readonly transfersMax: number;
  readonly ids: Ids;
  readonly now: () => Date;
  readonly log: Pick<RailLog, 'error'>;
};

/** Returns how many orders were shown to the bank. */
export function createOutbox(deps: Deps) {
  const { payments, orders, write, now, log } = deps;

  const takenTransfer = async (endToEndId: string): Promise<CreditTransfer> => {
    const first = (await payments.factsOf(endToEndId))?.first;
    invariant(first?.was === 'taken', `${endToEndId} is in an order and was never taken`);
    return first.transfer;
  };

  /** Takes the payments of a plan for it, and stages its file, unless none is left to send. */
  const stage = async (open: OpenPlan, signal: AbortSignal): Promise<'staged' | 'dropped' | 'left'> => {
    const { messageId, endToEndIds } = open.plan;
    const transfers: CreditTransfer[] = [];
    for (const one of endToEndIds) {
      if (await payments.send(one, messageId, now())) transfers.push(await takenTransfer(one));
      if (signal.aborted) return 'left';
    }
    await orders.stopWaiting(endToEndIds);
    if (transfers.length === 0) {
      await orders.drop(open);
      return 'dropped';
    }
    // It may have been held for days. What was written of it before was not shown, and is not read by anybody.
    const order = { ...open.plan, createdAt: now().toISOString() };
    await orders.stage(open, write(order, transfers));
    return 'staged';
  };

  /** Whether the order was shown, or is left open for the next turn: where it is `held`, the operator is told. */
  const finish = async (
    open: OpenPlan,
    signal: AbortSignal,
  ): Promise<'shown' | 'dropped' | 'left' | 'held'> => {
    try {
      const stood = open.stage === 'planned' ? await stage(open, signal) : 'staged';
      if (stood !== 'staged') return stood;
      await orders.show(open);
      for (const one of open.plan.endToEndIds) {
        if (signal.aborted) return 'left';
        await payments.forgetPayee(one, open.plan.messageId);
      }
      await orders.end(open);
      return 'shown';
    } catch (error) {
      const { messageId, currency } = open.plan;
      log.error({ err: error, messageId, currency }, 'an order for the bank could not leave; trying again');
      return 'held';
    }
  };

  return async (signal: AbortSignal): Promise<number> => {
    let shown = 0;
    const held = new Set<string>();
    for (const open of await orders.open()) {
      if (signal.aborted) return shown;
      const outcome = await finish(open, signal);
      if (outcome === 'shown') shown += 1;
      if (outcome === 'held') for (const one of open.plan.endToEndIds) held.add(one);
    }
    for (const plan of await plansFor(deps, held, signal)) {
      if (signal.aborted) break;
      if ((await finish(await orders.begin(plan), signal)) === 'shown') shown += 1;
    }
    return shown;
  };
}

/** An order for each account and speed. Payments whose submission is not recorded yet wait, and those of held orders. */
async function plansFor(
  { payments, orders, transfersMax, ids, now }: Omit<Deps, 'write' | 'log'>,
  held: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly Plan[]> {
  const groups = new Map<string, CreditTransfer[]>();
  for (const endToEndId of await orders.waiting()) {
    if (signal.aborted) return [];
    if (held.has(endToEndId)) continue;
    const facts = await payments.factsOf(endToEndId);
    if (!facts) continue;
    const transfer = toSend(facts);
    if (!transfer) await orders.stopWaiting([endToEndId]);
    else {
      const group = `${transfer.amount.currency} ${transfer.isInstant}`;
      const members = groups.get(group) ?? [];
      members.push(transfer);
      groups.set(group, members);
    }
  }
  return [...groups.values()]
    .flatMap((transfers) => inParts(transfers, transfersMax))
    .map((transfers) => {
      const [first] = transfers;
      invariant(first, 'an order without transfers');
      return {
        messageId: compact(ids.uuid()),
        createdAt: now().toISOString(),
        currency: first.amount.currency,
        isInstant: first.isInstant,
        endToEndIds: transfers.map(({ endToEndId }) => endToEndId),
      };
    });
}

const toSend = ({ first, sent }: Facts): CreditTransfer | undefined =>
  first.was === 'taken' && !sent ? first.transfer : undefined;
