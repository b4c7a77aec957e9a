import { describe, expect, it } from 'vitest';
import { basePath } from '../../src/app/interface/address.ts';
import { freePort } from '../../src/infrastructure/postgres/embedded.ts';
import { together } from '../support/http/concurrency.ts';
import { serviceOfTests, startTestService } from '../support/processes/service.ts';

const service = serviceOfTests();
const textAt = async (origin: string) => (await fetch(`${origin}/metrics`)).text();
const rootOf = (url: string) => url.slice(0, -basePath.length);

describe('/metrics', () => {
  it('is made once for all who ask within some seconds', async () => {
    const texts = await together(50, () => textAt(rootOf(service.url)));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toMatch(/^# HELP /m);
  });
});

/** A port that is free may be taken by somebody else before the service starts. */
async function startWithMetrics(triesLeft = 5) {
  const address = `127.0.0.1:${await freePort()}`;
  try {
    return { address, ...(await startTestService({ variables: { DAYBOOK_METRICS_ADDRESS: address } })) };
  } catch (error) {
    if (triesLeft === 0 || !String(error).includes('EADDRINUSE')) throw error;
    return startWithMetrics(triesLeft - 1);
  }
}

describe('an address for metrics', () => {
  it('has them, and nothing else; the interface has them no more', async () => {
    const { address, url, stop } = await startWithMetrics();
    const metrics = `http://${address}`;
    expect(await textAt(metrics)).toMatch(/^# HELP /m);
    expect((await fetch(`${metrics}${basePath}/config`)).status).toBe(404);
    expect((await fetch(`${rootOf(url)}/metrics`)).status).toBe(404);
    await stop();
    await expect(fetch(`${metrics}/metrics`)).rejects.toThrow();
  });
});
