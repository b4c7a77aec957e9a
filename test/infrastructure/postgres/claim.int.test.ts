import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { claimPath } from '../../../src/infrastructure/postgres/claim.ts';

/** Whoever asks is connected after the former, and answered after the latter: meanwhile this process does nothing else. */
const [connectedMs, answeredMs, busyMs] = [300, 600, 1_500];

/** Listens as a claimant would, and answers this by and by. */
async function anotherThatSays(path: string, answer: string): Promise<void> {
  const script = `require('net').createServer((asked) => setTimeout(() => asked.end('${answer}'), ${answeredMs})).listen('${path}.0.sock', () => console.log())`;
  const other = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void other.kill());
  await once(other.stdout, 'data');
}

it('an answer counts that has come while the claimant was too busy to read it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-claim-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'claim');
  await anotherThatSays(path, 'dead');
  const claiming = claimPath(path);
  await sleep(connectedMs);
  // Timers come next after this, and what has arrived after them.
  await new Promise(setImmediate);
  for (const end = performance.now() + busyMs; performance.now() < end; );
  const claim = await claiming;
  expect(claim.won).toBe(true);
  if (claim.won) await claim.release();
});
