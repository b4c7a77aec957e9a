/** The measurement of payments, which the repository has and the image has not. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const script = resolve(import.meta.dirname, '../../../../bench/transfers.ts');

/** Runs it with these options and ends as it ends. Throws where there is none. */
export async function bench(options: Readonly<Record<string, string>>): Promise<void> {
  if (!existsSync(script))
    throw new Error('There are no benchmarks here: they are in the repository. Run `npm run bench` there.');
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(process.execPath, [script, ...given], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  process.exitCode = typeof code === 'number' ? code : 1;
}
