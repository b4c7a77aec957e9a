/**
 * Writes what is generated from the code: `docs/openapi.json`, `docs/events/*.json`, the list of decisions, and the pages
 * `sandbox.md`, `life-of-a-payment.md`, `limits.md` and `metrics.md` of `docs/reference/`. With --check it only compares.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSandbox } from '../../sandbox/describe.ts';
import { openApi } from '../interface/openapi.ts';
import { describeDecisions } from './describe-decisions.ts';
import { describeLimits } from './describe-limits.ts';
import { describeMetrics } from './describe-metrics.ts';
import { describePayments } from './describe-payments.ts';
import { publishedSchemas } from './verify/published-schemas.ts';

const docs = join(import.meta.dirname, '../../../docs');

/** File name below `docs/` and content. Events are described as they are stored. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const files = new Map([
    ['openapi.json', pretty(openApi())],
    ['decisions/README.md', describeDecisions(join(docs, 'decisions'))],
    ['reference/life-of-a-payment.md', describePayments()],
    ['reference/limits.md', describeLimits()],
    ['reference/metrics.md', describeMetrics()],
    ['reference/sandbox.md', describeSandbox()],
  ]);
  for (const [type, schema] of publishedSchemas()) files.set(`events/${type}.json`, pretty(schema));
  return files;
}

const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** The generated files that are missing, differ, or should not be there. */
export async function staleFiles(): Promise<readonly string[]> {
  const wanted = generatedFiles();
  const read = (name: string) => readFile(join(docs, name), 'utf8').catch(() => undefined);
  const present = await readdir(join(docs, 'events')).catch(() => []);
  const surplus = present.map((name) => `events/${name}`).filter((name) => !wanted.has(name));
  const compared = await Promise.all(
    [...wanted].map(async ([name, text]) => ((await read(name)) === text ? [] : [name])),
  );
  return [...compared.flat(), ...surplus];
}

async function write(): Promise<void> {
  await rm(join(docs, 'events'), { recursive: true, force: true });
  await mkdir(join(docs, 'events'), { recursive: true });
  for (const [name, text] of generatedFiles()) await writeFile(join(docs, name), text);
}

if (import.meta.main) {
  if (process.argv.includes('--check')) {
    const stale = await staleFiles();
    if (stale.length > 0) {
      process.stderr.write(`Out of date below docs/: ${stale.join(', ')}. Run: npm run docs:generate\n`);
      process.exitCode = 1;
    }
  } else await write();
}
