import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, rules, type Source } from './support/source-rules.ts';

const root = join(import.meta.dirname, '..');
const sources: readonly Source[] = globSync('{src,projections}/**/*.ts', { cwd: root }).map((path) => ({
  path: path.replaceAll('\\', '/'),
  text: readFileSync(join(root, path), 'utf8'),
}));

describe('the sources', () => {
  it('are found, with what they import', () => {
    const handle = sources.find(({ path }) => path === 'src/infrastructure/commands/handle.ts');
    expect(handle && importsOf(handle)).toEqual(
      expect.arrayContaining(['lru-cache', 'src/infrastructure/event-store/event-store.ts']),
    );
  });

  it.each(rules)('keep the rule that $rule: $because', ({ check }) => {
    expect(check(sources)).toEqual([]);
  });
});

const file = (path: string, ...lines: readonly string[]): Source => ({ path, text: `${lines.join('\n')}\n` });

/** For each rule, a violation and what is allowed next to it. */
const planted: readonly (readonly [string, readonly Source[], readonly Source[]])[] = [
  [
    'src/infrastructure imports nothing of the business',
    [
      file('src/infrastructure/http/a.ts', "import { x } from '../../quotes/api.ts';"),
      file('src/infrastructure/b.ts', "import type { Row } from '../../projections/customers.ts';"),
    ],
    [file('src/infrastructure/c.ts', "import { z } from 'zod';", "import { y } from './d.ts';")],
  ],
  [
    'deciders, policies, prices and the ledger import no library',
    [
      file('src/a/policy.ts', "import { createHash } from 'node:crypto';"),
      file('src/ledger/b.ts', "import type { z } from 'zod';"),
      file('src/a/thing.ts', "import { z } from 'zod';", 'export const thing: Decider<S, C, E> = {};'),
      file('src/a/progress.ts', "import { z } from 'zod';"),
    ],
    [
      file('src/ledger/postings.ts', "import { z } from 'zod';"),
      file('src/a/routes.ts', "import { Router } from 'express';"),
      file('src/b/policy.ts', "import { x } from '../a/events.ts';"),
    ],
  ],
  [
    'deciders, policies, prices and the ledger know neither projections nor HTTP',
    [
      file('src/a/policy.ts', "import { rows } from '../../projections/rows.ts';"),
      file('src/quotes/pricing.ts', 'import {', '  int64,', "} from '../infrastructure/http/fields.ts';"),
    ],
    [file('src/a/api.ts', "import { int64 } from '../infrastructure/http/fields.ts';")],
  ],
  [
    'events.ts imports nothing but zod, ids, codecs, other events and types of its module',
    [
      file('src/a/events.ts', "import { rule } from '../b/b.ts';"),
      file('src/b/events.ts', "import pg from 'pg';"),
    ],
    [
      file(
        'src/c/events.ts',
        "import { z } from 'zod';",
        "import { idField } from '../infrastructure/ids.ts';",
      ),
      file('src/d/events.ts', "import { terms } from '../c/events.ts';"),
    ],
  ],
  [
    'the sandbox is known to its own module and to what puts the service together',
    [
      file('src/quotes/a.ts', "import { suffixOf } from '../sandbox/outcomes.ts';"),
      file('projections/a.ts', "import { x } from '../src/sandbox/outcomes.ts';"),
    ],
    [
      file('src/sandbox/rail.ts', "import { suffixOf } from './outcomes.ts';"),
      file('src/service.ts', "import { sandboxRail } from './sandbox/rail.ts';"),
    ],
  ],
  [
    'rails know no routes and no HTTP',
    [
      file('src/rails/a.ts', "import { int64 } from '../infrastructure/http/fields.ts';"),
      file('src/rails/b.ts', "import { loadPayment } from '../transactions/routes.ts';"),
    ],
    [
      file('src/rails/c.ts', "import { uuidOf } from '../infrastructure/ids.ts';"),
      file('src/transfers/routes.ts', "import { int64 } from '../infrastructure/http/fields.ts';"),
    ],
  ],
  [
    '@eventstore/db-client is imported in one file',
    [
      file('src/a.ts', "import { Client } from '@eventstore/db-client';"),
      file('src/b.ts', "import type { Event } from '@eventstore/db-client/dist';"),
    ],
    [file('src/c.ts', "import { x } from '@eventstore/db-client-like';")],
  ],
  [
    'bullmq is imported in one file',
    [
      file('src/a.ts', "import { Queue } from 'bullmq';"),
      file('src/b.ts', "const { Worker } = await import('bullmq');"),
    ],
    [],
  ],
  [
    'process.env is read in config.ts only',
    [
      file('src/a.ts', 'const port = process.env.PORT;'),
      file('src/b.ts', "import { env } from 'node:process';"),
    ],
    [
      file('src/config.ts', 'const { env } = process; parse(process.env);'),
      file('src/c.ts', 'process.stdout.isTTY'),
    ],
  ],
  [
    'time and chance come from clock.ts and ids.ts only',
    [
      file('src/a.ts', 'const at = Date.now();'),
      file('src/b.ts', 'const at = new Date();'),
      file('projections/c.ts', 'const n = Math.random();'),
      file('src/d.ts', "import { randomUUID } from 'node:crypto';"),
    ],
    [
      file('src/infrastructure/clock.ts', 'now: () => new Date()'),
      file('src/e.ts', 'const at = new Date(text);'),
    ],
  ],
  [
    'express is imported by infrastructure and app.ts only',
    [
      file('src/quotes/routes.ts', "import { Router } from 'express';"),
      file('projections/a.ts', "import 'express';"),
    ],
    [
      file('src/app.ts', "import express from 'express';"),
      file('src/infrastructure/a.ts', "import express from 'express';"),
    ],
  ],
  [
    'pg is imported by infrastructure, service.ts and tokens only',
    [
      file('src/quotes/routes.ts', "import { Pool } from 'pg';"),
      file('projections/a.ts', "import type { Pool } from 'pg';"),
    ],
    [
      file('src/service.ts', "import { Pool } from 'pg';"),
      file('src/tokens/tokens.ts', "import { Pool } from 'pg';"),
    ],
  ],
  [
    'kysely is imported by projections, infrastructure, service.ts and tokens only',
    [file('src/quotes/routes.ts', "import { sql } from 'kysely';")],
    [file('projections/a.ts', "import { sql } from 'kysely';")],
  ],
  [
    'no file imports itself round a circle',
    [
      file('src/a/a.ts', "import { b } from '../b/b.ts';"),
      file('src/b/b.ts', "import { C } from '../../projections/c.ts';"),
      file('projections/c.ts', "export { a } from '../src/a/a.ts';"),
    ],
    [
      file('src/d.ts', "import { e } from './e.ts';", "import { f } from './f.ts';"),
      file('src/e.ts', "import './f.ts';"),
    ],
  ],
  [
    'no file is longer than 300 lines',
    [file('src/a.ts', ...Array(301).fill('x'))],
    [file('src/b.ts', ...Array(300).fill('x'))],
  ],
  ['no file is called index.ts', [file('src/a/index.ts', '')], [file('src/a/reindex.ts', '')]],
];

describe('the rules', () => {
  it('have a planted violation each', () => {
    expect(planted.map(([rule]) => rule)).toEqual(rules.map(({ rule }) => rule));
  });

  it.each(planted)('notice where it is not so that %s', (name, violations, allowed) => {
    const check = rules.find(({ rule }) => rule === name)?.check ?? (() => []);
    const reported = check([...violations, ...allowed]).join('\n');
    for (const { path } of violations) expect(reported).toContain(path);
    for (const { path } of allowed) expect(reported).not.toContain(path);
  });

  it('tell the whole circle', () => {
    const [, violations = []] = planted.find(([rule]) => rule.includes('circle')) ?? [];
    const circle = rules.find(({ rule }) => rule.includes('circle'))?.check(violations);
    expect(circle).toEqual(['src/a/a.ts → src/b/b.ts → projections/c.ts → src/a/a.ts']);
  });
});
