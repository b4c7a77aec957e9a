/**
 * Webhook endpoints in a process of their own, which `webhooks.ts` starts: so many servers that answer at once, or never
 * when told so. What has arrived is reported every few milliseconds.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const reportEveryMs = 10;

export type Arrival = { readonly receiver: number; readonly latencyMs: number; readonly at: number };
export type Report = { readonly ports: readonly number[] } | { readonly arrivals: readonly Arrival[] };

const updated = /"updatedAt":"([^"]+)"/;
const hang = z.object({ hanging: z.array(z.number()) });
let hanging: readonly number[] = [];
let arrivals: Arrival[] = [];
const report = (message: Report) => process.send?.(message);

async function open(receiver: number): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const at = Date.now();
      const [, updatedAt] = updated.exec(Buffer.concat(chunks).toString()) ?? [];
      arrivals.push({ receiver, latencyMs: updatedAt ? at - Date.parse(updatedAt) : 0, at });
      if (!hanging.includes(receiver)) response.end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return (server.address() as AddressInfo).port;
}

const ports = await Promise.all(Array.from({ length: Number(process.argv[2]) }, (_one, n) => open(n)));
process.on('message', (message) => {
  hanging = hang.parse(message).hanging;
});
process.once('disconnect', () => process.exit());
setInterval(() => {
  if (arrivals.length === 0) return;
  report({ arrivals });
  arrivals = [];
}, reportEveryMs);
report({ ports });
