import { describe, expect, it } from 'vitest';
import { paymentAddressStream } from '../../../src/domain/reservations/reservation.ts';
import { uuidOf } from '../../../src/kernel/ids.ts';
import { customerAtWith } from '../../../src/use-cases/find/receivers.ts';
import { reserveName } from '../../support/builders/reservations.ts';
import { settlesAtOnce } from '../../support/rails/payment-rails.ts';
import { testStart as at } from '../../support/time/clock.ts';
import { adaId, cause, startTown } from '../../support/traffic/town.ts';

const umaAddress = '$countess@pay.example';

describe('a payment address that a customer is about to take', () => {
  it('is nobody to be paid at, until it is that of the customer', async () => {
    const { commands } = await startTown({ rail: settlesAtOnce });
    const customerAt = customerAtWith(commands);
    const reserve = reserveName({ holder: adaId, claim: 'change' });
    await commands.run('reservation', paymentAddressStream(umaAddress), reserve, cause);
    expect(await customerAt(umaAddress)).toBeUndefined();
    const take = { type: 'UpdateCustomer', changes: { umaAddress }, claim: 'change', at } as const;
    await commands.run('customer', uuidOf(adaId), take, cause);
    expect(await customerAt(umaAddress)).toMatchObject({ customerId: adaId });
  });
});
