import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { findPair, newTransfer } from '../../src/use-cases/transfers/transfer.ts';
import { customerId, externalAccountId, platformId } from '../support/builders/identities.ts';
import { noLimits } from '../support/builders/quoted.ts';
import { uuidNumber } from '../support/ids.ts';
import { takesAtOnce } from '../support/payment-rails.ts';
import { adaAccount, startTown } from '../support/town.ts';
import { watchedEventStore } from '../support/watched-event-store.ts';

/** A process that tells which streams were asked for at the same moment. */
async function aProcess() {
  const town = await startTown({ rail: takesAtOnce });
  const together: string[][] = [];
  let current: string[] | undefined;
  const beforeRead = async (stream: string) => {
    if (!current) {
      current = [];
      together.push(current);
    }
    current.push(stream.slice(0, stream.indexOf('-')));
    await nextTurn();
    current = undefined;
  };
  const { commands } = town.processOn(watchedEventStore(town.log, { beforeRead }), 5_000);
  const deps = { commands, operatorLimits: noLimits, now: town.clock.now };
  const asked = { uuid: uuidNumber(700), amount: 1_00n, direction: 'OUT' } as const;
  const ask = async () => {
    together.length = 0;
    const pair = await findPair(commands, platformId, adaAccount, externalAccountId);
    const { customerId: owner } = await newTransfer(deps, platformId, asked, pair).catch(() => pair.internal);
    expect(owner).toBe(customerId);
    return together;
  };
  return { ask };
}

it('who is concerned by a transfer is looked up at once where it is known whose the account is', async () => {
  const { ask } = await aProcess();
  expect(await ask()).toEqual([
    ['account', 'externalaccount'],
    ['customer', 'platform'],
  ]);
  expect(await ask()).toEqual([['account', 'externalaccount', 'customer', 'platform']]);
});
