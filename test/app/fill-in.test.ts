/** What the page of the documentation learns of a token before it makes anything for it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { fillIn } from '../../src/app/interface/fill-in.js';

const example = 'Customer:example';
const sources = {
  [example]: { calls: [{ method: 'POST', path: '/customers', body: {} }], take: 'id', isNew: false },
} as const;

/** A service that answers the look at the sandbox with these statuses, the last one from then on. */
async function pageOf(statuses: readonly number[]) {
  const looks: number[] = [];
  const server = createServer((req, res) => {
    const isLook = req.url?.includes('/sandbox/');
    if (isLook) looks.push(statuses[Math.min(looks.length, statuses.length - 1)] ?? 0);
    const status = isLook ? (looks.at(-1) ?? 0) : 201;
    if (status === 0) return void res.destroy();
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ id: 'Customer:made' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const complete = fillIn({ base, sources, agentToken: 'agent', platform: () => 'Basic eDp5' });
  const sent = async () => {
    const { url } = await complete({ url: `${base}/customers/${example}`, headers: {} });
    return url.slice(base.length);
  };
  return { sent, looks };
}

const asItStands = `/customers/${example}`;
const withWhatExists = '/customers/Customer:made';

it.each([503, 429, 401, 0])(
  'looks again after an answer that says nothing of a sandbox: %s',
  async (status) => {
    const { sent } = await pageOf([status, 200]);
    expect([await sent(), await sent()]).toEqual([asItStands, withWhatExists]);
  },
);

it.each([
  [200, withWhatExists],
  [403, asItStands],
  [404, asItStands],
])('looks once where %s says what the token is of', async (status, path) => {
  const { sent, looks } = await pageOf([status]);
  expect([await sent(), await sent(), looks.length]).toEqual([path, path, 1]);
});
