import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type * as Net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { claimPath } from '../../../src/infrastructure/postgres/claim.ts';

/** For as long as it is set, a claimant that asks another one does nothing else for a while, as on a busy machine. */
const busy = vi.hoisted(() => ({ ms: 0 }));
vi.mock('node:net', async (original) => {
  const net = await original<typeof Net>();
  const createConnection = (path: string) => {
    queueMicrotask(() => {
      for (const end = performance.now() + busy.ms; performance.now() < end; );
    });
    return net.createConnection(path);
  };
  return { ...net, createConnection };
});

/** Listens as a claimant would, and answers this. */
async function anotherThatSays(path: string, answer: string): Promise<void> {
  const script = `require('net').createServer((asked) => asked.end('${answer}')).listen('${path}.0.sock', () => console.log())`;
  const other = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void other.kill());
  await once(other.stdout, 'data');
}

it('an answer counts that has come while the claimant was too busy to read it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-claim-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'claim');
  await anotherThatSays(path, 'dead');
  busy.ms = 1_200;
  const claim = await claimPath(path);
  expect(claim.won).toBe(true);
  if (claim.won) await claim.release();
});
