import { describe, expect, it } from 'vitest';
import { createCustomerRequest } from '../../../src/api/customers/requests.ts';
import { kycStatuses } from '../../../src/domain/customers/events.ts';
import { newCustomer } from '../../../src/domain/customers/new-customer.ts';
import { activePlatform, businessInfo, supported } from '../../support/builders/customers.ts';
import { customerId, platformId } from '../../support/builders/identities.ts';
import { thrownBy } from '../../support/builders/spec.ts';
import { testStart } from '../../support/time/clock.ts';

type Fields = Readonly<Record<string, unknown>>;
const chosen = { customerId, platformCustomerId: 'chosen-id', addressName: 'chosen-name', at: testStart };

const created = (fields: Fields = {}, platform: Parameters<typeof activePlatform>[0] = {}) =>
  newCustomer(
    createCustomerRequest.parse({ customerType: 'INDIVIDUAL', ...fields }),
    activePlatform(platform),
    chosen,
  );

const refusal = (fields: Fields) => thrownBy(() => created(fields));

describe('a new customer', () => {
  it('is complete with nothing given', () => {
    expect(created()).toEqual({
      platformId,
      customerId,
      platformCustomerId: 'chosen-id',
      customerType: 'INDIVIDUAL',
      umaAddress: '$chosen-name@pay.example',
      region: 'US',
      currencies: ['USD'],
      walletCurrency: 'USDB',
      kycStatus: 'APPROVED',
      at: testStart,
    });
  });

  it('keeps everything that was given', () => {
    const given = {
      platformCustomerId: 'user-7',
      region: 'FR',
      currencies: ['USD', 'EUR'],
      umaAddress: '$grace@pay.example',
      fullName: 'Grace Hopper',
      birthDate: '1906-12-09',
      nationality: 'US',
      email: 'grace@example.com',
      phoneNumber: '+15550123456',
      address: { line1: '1 Main Street', postalCode: '12345', country: 'US' },
      idType: 'ITIN',
      identifier: 'X1',
      countryOfIssuance: 'US',
    };
    expect(created(given)).toMatchObject(given);
  });

  it('is a business without what a business cannot have', () => {
    const business = created({ customerType: 'BUSINESS', businessInfo, fullName: 'Ada Lovelace' });
    expect(business).toMatchObject({ customerType: 'BUSINESS', businessInfo, kycStatus: 'UNVERIFIED' });
    expect(business).not.toHaveProperty('fullName');
  });

  it('is an individual without businessInfo', () => {
    expect(created({ businessInfo })).not.toHaveProperty('businessInfo');
  });

  it('has no wallet where the platform gives none', () => {
    const { walletCurrency: _none, ...platform } = activePlatform();
    const request = createCustomerRequest.parse({ customerType: 'INDIVIDUAL' });
    expect(newCustomer(request, platform, chosen).walletCurrency).toBeUndefined();
  });
});

describe('the region of a new customer', () => {
  it.each([
    [{}, 'US', 'US'],
    [{}, 'DE', 'DE'],
    [{ currencies: ['EUR', 'USD'] }, 'US', 'DE'],
    [{ currencies: ['XOF'] }, 'US', 'SN'],
    [{ currencies: ['BTC'] }, 'MX', 'MX'],
    [{ currencies: ['BTC', 'EUR'] }, 'MX', 'MX'],
    [{ region: 'NO', currencies: ['EUR'] }, 'US', 'NO'],
  ])('for %j on a platform of %s is %s', (fields, defaultRegion, region) => {
    expect(created(fields, { defaultRegion }).region).toBe(region);
  });
});

describe('the currencies of a new customer', () => {
  it.each([
    [{}, 'US', ['USD']],
    [{}, 'DE', ['EUR']],
    [{ region: 'MX' }, 'US', ['MXN']],
    [{ region: 'NO' }, 'DE', ['EUR']],
    [{ currencies: ['USD', 'BTC', 'USD'] }, 'DE', ['USD', 'BTC']],
  ])('for %j on a platform of %s are %j', (fields, defaultRegion, currencies) => {
    expect(created(fields, { defaultRegion }).currencies).toEqual(currencies);
  });

  it('are the first of the platform where neither region has one', () => {
    expect(
      created({ region: 'NO' }, { defaultRegion: 'CH', supportedCurrencies: supported('GBP', 'EUR') })
        .currencies,
    ).toEqual(['GBP']);
  });

  it('are refused with a list of the unknown ones', () => {
    const details = { currencies: ['XYZ', 'usd', 'constructor'] };
    expect(refusal({ currencies: ['USD', 'XYZ', 'usd', 'constructor'] })).toMatchObject({
      code: 'INVALID_CURRENCY',
      details,
    });
  });
});

describe('the payment address of a new customer', () => {
  it('is kept in lower case', () => {
    expect(created({ umaAddress: '$Ada.L-O_v+e1@Pay.Example' }).umaAddress).toBe('$ada.l-o_v+e1@pay.example');
  });

  it('may have 64 characters before the @', () => {
    const umaAddress = `$${'a'.repeat(63)}@pay.example`;
    expect(created({ umaAddress }).umaAddress).toBe(umaAddress);
    expect(refusal({ umaAddress: `$a${umaAddress.slice(1)}` })).toMatchObject({
      code: 'INVALID_UMA_ADDRESS',
    });
  });

  it.each([
    'ada@pay.example',
    '$@pay.example',
    '$ada',
    '$ada@',
    '$a da@pay.example',
    '$ädä@pay.example',
    '$ada@evil.example@pay.example',
    '$ada@pay.example\n',
    '$ada@other.example',
    '$ada@evil-pay.example',
    '$ada@sub.pay.example',
  ])('is refused when it is %j', (umaAddress) => {
    expect(refusal({ umaAddress })).toMatchObject({ code: 'INVALID_UMA_ADDRESS' });
  });

  it('names the domain it must be in', () => {
    expect(refusal({ umaAddress: '$ada@other.example' })).toMatchObject({
      details: { umaDomain: 'pay.example' },
    });
  });
});

describe('the approval of a new customer', () => {
  it.each(kycStatuses)('is %s in the sandbox when the platform says so', (kycStatus) => {
    expect(created({ kycStatus }).kycStatus).toBe(kycStatus);
  });

  it.each([{}, ...kycStatuses.map((kycStatus) => ({ kycStatus }))])(
    'is open in production for %j',
    (fields) => {
      expect(created(fields, { environment: 'production' }).kycStatus).toBe('UNVERIFIED');
    },
  );
});

describe('the approval of a new business', () => {
  it.each(kycStatuses)('is %s in the sandbox when the platform says so', (kybStatus) => {
    expect(created({ customerType: 'BUSINESS', businessInfo, kybStatus }).kycStatus).toBe(kybStatus);
  });

  it('is open in production whatever the platform says', () => {
    const fields = { customerType: 'BUSINESS', businessInfo, kybStatus: 'APPROVED' };
    expect(created(fields, { environment: 'production' }).kycStatus).toBe('UNVERIFIED');
  });
});

describe('the date of incorporation', () => {
  it('is refused when it is in the future', () => {
    const future = { ...businessInfo, incorporatedOn: '2999-01-01' };
    const errors = [{ field: 'businessInfo.incorporatedOn', message: 'must not be in the future' }];
    expect(refusal({ customerType: 'BUSINESS', businessInfo: future })).toMatchObject({
      details: { errors },
    });
  });
});

describe('the birth date of a new customer', () => {
  it.each(['1815-12-10', '2026-11-01', '2026-11-02'])('may be %s', (birthDate) => {
    expect(created({ birthDate }).birthDate).toBe(birthDate);
  });

  it.each(['2026-11-03', '2999-01-01'])('is refused when it is %s, in the future', (birthDate) => {
    const errors = [{ field: 'birthDate', message: 'must not be in the future' }];
    expect(refusal({ birthDate })).toMatchObject({ code: 'INVALID_INPUT', details: { errors } });
  });
});
