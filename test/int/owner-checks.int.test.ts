/** Owners of businesses who are changed while they are checked. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Finding, ScreenedOwner } from '../../src/domain/ports/screening.ts';
import { startTestService, type TestService } from '../support/processes/service.ts';
import { createBusiness, eventually, expectStatus } from '../support/resources/flows.ts';
import { createOwner } from '../support/resources/verification.ts';

type Check = { readonly owner: ScreenedOwner; readonly answer: (finding: Finding) => void };

describe('an owner who is changed while a check is under way', () => {
  let service: TestService;
  let checks: Check[] = [];
  /** Checks of these wait until the test has answered them. */
  const isHeld = ({ personalInfo }: ScreenedOwner) => personalInfo.firstName === 'Augusta';
  const refused = 'Mallory';

  beforeAll(async () => {
    service = await startTestService({
      screening: () => ({
        customer: async () => undefined,
        owner(owner) {
          if (!isHeld(owner)) return Promise.resolve(findingOf(owner));
          const { promise, resolve: answer } = Promise.withResolvers<Finding>();
          checks.push({ owner, answer });
          return promise;
        },
      }),
    });
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    checks = [];
  });
  const findingOf = ({ personalInfo }: ScreenedOwner): Finding =>
    personalInfo.lastName === refused ? 'REJECTED' : 'APPROVED';
  const newOwner = async () => {
    const { id } = await createBusiness(service.client);
    return `/beneficial-owners/${(await createOwner(service.client, id)).id}`;
  };
  const change = (path: string, personalInfo: object) => service.client.patch(path, { personalInfo });
  const held = (n: number) =>
    eventually(
      async () => checks,
      (found) => found.length === n,
    );

  it('is never somebody whom nobody has checked', async () => {
    const path = await newOwner();
    const first = change(path, { firstName: 'Augusta' });
    await held(1);
    expect(expectStatus(await change(path, { lastName: refused }), 200).kycStatus).toBe('REJECTED');
    checks[0]?.answer('APPROVED');
    await held(2);
    expect(checks[1]?.owner.personalInfo).toMatchObject({ firstName: 'Augusta', lastName: refused });
    checks[1]?.answer('REJECTED');
    const expected = { kycStatus: 'REJECTED', personalInfo: { firstName: 'Augusta', lastName: refused } };
    expect(expectStatus(await first, 200)).toMatchObject(expected);
    expect(expectStatus(await service.client.get(path), 200)).toMatchObject(expected);
  });

  it('is left alone where that goes on and on', async () => {
    const path = await newOwner();
    const first = change(path, { firstName: 'Augusta' });
    for (const n of [1, 2, 3]) {
      await held(n);
      expectStatus(await change(path, { middleName: `N${n}`, firstName: 'Ada' }), 200);
      checks[n - 1]?.answer('APPROVED');
    }
    const { body } = await first;
    expect([(await first).status, body.code]).toEqual([409, 'CONFLICT']);
    expect(expectStatus(await service.client.get(path), 200).personalInfo).toMatchObject({
      firstName: 'Ada',
      middleName: 'N3',
    });
  });
});
