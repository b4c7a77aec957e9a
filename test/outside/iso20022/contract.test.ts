import { describe, it } from 'vitest';
import { idOf, systemIds } from '../../../src/kernel/ids.ts';
import { railContract } from '../../../src/outside/rail-contract.ts';
import { euroPayment, openBank, temporaryFolder } from '../../support/bank/bank.ts';

const newPayment = () => euroPayment(1, { paymentId: idOf('Transaction', systemIds.uuid()) });

describe('files by ISO 20022 as a rail', () => {
  it.each(railContract)('$promise', async ({ check }) => {
    const folder = temporaryFolder();
    const open = async () => (await openBank({ folder })).rail;
    await check({ rail: await open(), newPayment, restarted: open });
  });
});
