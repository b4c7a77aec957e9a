/** Businesses with owners, as a platform would register and verify them. */
import { personalInfo } from '../builders/verification.ts';
import type { Answer, Client, Json } from '../http/client.ts';
import { createBusiness, expectStatus } from './flows.ts';

export const ownerBody = (customerId: string, lastName = 'Lovelace', overrides: object = {}) => ({
  customerId,
  roles: ['UBO', 'DIRECTOR'],
  ownershipPercentage: 51.5,
  personalInfo: { ...personalInfo, lastName },
  ...overrides,
});

export const createOwner = async (client: Client, customerId: string, lastName?: string): Promise<Json> =>
  expectStatus(await client.post('/beneficial-owners', ownerBody(customerId, lastName)), 201);

export const verify = (client: Client, customerId: string): Promise<Answer> =>
  client.post('/verifications', { customerId });

/** A business with an owner whose verification has ended. */
export async function verifiedBusiness(client: Client) {
  const { id: customerId } = await createBusiness(client);
  const { id: beneficialOwnerId } = await createOwner(client, customerId);
  const { id: verificationId } = expectStatus(await verify(client, customerId), 200);
  return { customerId, beneficialOwnerId, verificationId };
}
