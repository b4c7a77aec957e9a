/**
 * `npm run bench:flame -- [--out docs/flame-transfer-in.svg]`: where the processor time of a transfer in goes, as a
 * flame graph: a frame is as wide as its share of the samples, and stands on what called it.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { drawFlames, type Frame } from './flame-graph.ts';
import { shoot } from './load.ts';
import { transfers, version } from './requests.ts';
import { openStand } from './stand.ts';
import { buildTown } from './town.ts';

const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    out: { type: 'string', default: 'docs/flame-transfer-in.svg' },
  },
});
const seconds = Number(given.seconds);
/** Of what is drawn, so that neither the start nor the warming up is. */
const drawnShare = 0.6;

const profileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string() }),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

/** Waiting, and time in which the kernel ran somebody else. */
const notOurs = new Set(['(idle)', '(root)', '(program)', 'writev']);

/** Stacks of a V8 profile, those of the last `lastMs` before the load ended. */
function framesOf(text: string, fromShare: number, toShare: number): Frame {
  const { nodes, samples, timeDeltas } = profileSchema.parse(JSON.parse(text));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const root: Frame = { name: 'transfer in', time: 0, children: new Map() };
  const stackOf = (id: number): readonly string[] => {
    const stack: string[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame;
      if (frame && frame.functionName !== '(root)') stack.unshift(nameOf(frame));
    }
    return stack;
  };
  const total = timeDeltas.reduce((sum, delta) => sum + delta, 0);
  let at = 0;
  samples.forEach((id, n) => {
    const delta = timeDeltas[n] ?? 0;
    at += delta;
    if (at < fromShare * total || at > toShare * total) return;
    if (notOurs.has(byId.get(id)?.callFrame.functionName ?? '')) return;
    let frame = root;
    frame.time += delta;
    for (const name of stackOf(id)) {
      const child = frame.children.get(name) ?? { name, time: 0, children: new Map() };
      frame.children.set(name, child);
      child.time += delta;
      frame = child;
    }
  });
  return root;
}

function nameOf({ functionName, url }: { readonly functionName: string; readonly url: string }): string {
  const ours = /\/(src|projections)\/(.*)$/.exec(url)?.[2];
  const theirs = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  const where = ours && !theirs ? ours : (theirs ?? url.replace(/^node:/, 'node '));
  return `${functionName || 'anonymous'} ${where}`.trim();
}

const stand = await openStand();
const directory = await mkdtemp(join(tmpdir(), 'daybook-flame-'));
try {
  const flags = ['--cpu-prof', `--cpu-prof-dir=${directory}`];
  const { process: service, origin } = await stand.launchService(await stand.database('daybook'), {}, flags);
  const began = performance.now();
  const town = await buildTown(`${origin}${version}`, 100);
  const next = transfers(`${version}/transfer-in`, town);
  await shoot({ origin, connections: 32, seconds, next });
  const [loaded, drawnMs] = [performance.now() - began, seconds * 1000 * drawnShare];
  await service.stop();
  const whole = performance.now() - began;
  const [file = ''] = await readdir(directory);
  const root = framesOf(
    await readFile(join(directory, file), 'utf8'),
    (loaded - drawnMs) / whole,
    loaded / whole,
  );
  await writeFile(given.out, drawFlames(root));
  process.stdout.write(`${given.out}\n`);
} finally {
  await stand.close();
  await rm(directory, { recursive: true, force: true });
}
