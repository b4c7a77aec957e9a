import { expect, it } from 'vitest';
import { seededRequests } from '../../../src/infrastructure/http/seeded-requests.ts';
import { seededIds } from '../../../src/kernel/ids.ts';

/** Requests of one service with a seed. */
function service() {
  const comes = seededRequests(seededIds('a seed', '1').seeded);
  return (authorization: string, path = '/customers') => {
    const get = (name: string) => (name === 'authorization' ? authorization : undefined);
    const coming = comes(
      { method: 'POST', baseUrl: '', path, get } as never,
      { once: () => undefined } as never,
    );
    const letIn = async (caller: string | undefined) => {
      const uuid = await coming.letIn(caller);
      coming.over();
      return uuid;
    };
    return { ...coming, letIn };
  };
}

/** Those of a caller whom nobody else is beside. */
async function alone(caller: string, most: number): Promise<readonly string[]> {
  const request = service();
  const ids: string[] = [];
  while (ids.length < most) ids.push(await request('own').letIn(caller));
  return ids;
}

it('requests are counted in the order in which they came, whoever is known first', async () => {
  const request = service();
  const [first, second] = [request('own'), request('own')];
  const later = second.letIn('token:1');
  const sooner = first.letIn('token:1');
  expect(await Promise.all([sooner, later])).toEqual(await alone('token:1', 2));
});

it('who is not let in, or is somebody else, moves no count', async () => {
  const request = service();
  const ids = [await request('own').letIn('token:1')];
  request('own, and the secret is wrong').over();
  const refused = request('own');
  const next = request('own').letIn('token:1');
  refused.over();
  await request('bearer').letIn('agent:1');
  await request('').letIn(undefined);
  expect([...ids, await next]).toEqual(await alone('token:1', 2));
});

it('nobody waits for what came with other credentials', async () => {
  const request = service();
  request('somebody else’s');
  expect([await request('own').letIn('token:1')]).toEqual(await alone('token:1', 1));
});
