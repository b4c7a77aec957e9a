/** Many short lives, beside the few that are long: most of what goes wrong takes a few steps, and the right order. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstSteps } from '../../life.ts';
import { type Server, startServer } from '../ports/database/postgres.ts';
import type { LogName } from '../ports/log/place.ts';
import { tryOut } from '../rules/rules.ts';

const steps = firstSteps(20);
/** Of one file; files are lived side by side. */
const livesMax = 12;

export function keepRulesFrom(first: number, log: LogName = 'postgres'): void {
  let server: Server;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  it.each(firstSteps(livesMax).map((n) => first + n))(
    'a short life keeps every rule (SEED=%i)',
    async (seed) => {
      expect((await tryOut(server, { seed, steps, log })).violations).toEqual([]);
    },
  );
}
