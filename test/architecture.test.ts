import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, rules, type Source } from './support/repository/source-rules.ts';

const root = join(import.meta.dirname, '..');
const sources: readonly Source[] = globSync('{src,projections}/**/*.{ts,js}', { cwd: root }).map((path) => ({
  path: path.replaceAll('\\', '/'),
  text: readFileSync(join(root, path), 'utf8'),
}));

describe('the sources', () => {
  it('are found, with what they import', () => {
    const states = sources.find(({ path }) => path === 'src/infrastructure/commands/states.ts');
    expect(states && importsOf(states)).toEqual(
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
    'imports go downwards from wing to wing',
    [
      file('src/domain/a/a.ts', "import type { Row } from '../../../projections/rows.ts';"),
      file('projections/b.ts', "const { run } = await import('../src/use-cases/run.ts');"),
      file('src/workers/c.ts', "export { render } from '../api/quotes/render.ts';"),
      file('src/app/d.ts', "import { client } from '../../packages/client/client.ts';"),
      file('src/api/e.ts', 'import {', '  one,', "} from '../../test/support/one.ts';"),
    ],
    [
      file('src/main.js', "import { startService } from './app/service.ts';"),
      file('src/api/f.ts', "import { quote } from '../use-cases/quote.ts';", "import { z } from 'zod';"),
      file('projections/g.ts', "import type { Money } from '../src/kernel/money.ts';"),
    ],
  ],
  [
    'every file is in a wing',
    [file('src/utils/a.ts', ''), file('src/quotes.ts', '')],
    [file('src/kernel/a.ts', ''), file('projections/b.ts', '')],
  ],
  [
    'the domain imports nothing but the kernel, and zod for its shapes',
    [
      file('src/domain/a/decide.ts', "import { createHash } from 'node:crypto';"),
      file('src/domain/b.ts', "import type { Pool } from '../infrastructure/postgres/pool.ts';"),
      file('src/domain/c.ts', "import { LRUCache } from 'lru-cache';"),
    ],
    [
      file('src/domain/d/events.ts', "import { z } from 'zod';", "import { id } from '../../kernel/ids.ts';"),
      file('src/api/d.ts', "import { LRUCache } from 'lru-cache';"),
    ],
  ],
  [
    'the kernel imports nothing but what makes ids and schemas',
    [
      file('src/kernel/a.ts', "import { Pool } from 'pg';"),
      file('src/kernel/b.ts', "import type { Account } from '../domain/accounts/account.ts';"),
    ],
    [file('src/kernel/ids.ts', "import { v7 } from 'uuid';", "import { x } from './x.ts';")],
  ],
  [
    'infrastructure imports nothing of the business',
    [
      file('src/infrastructure/http/a.ts', "import { x } from '../../domain/quotes/pricing.ts';"),
      file('src/infrastructure/b.ts', "import type { Row } from '../../projections/customers.ts';"),
    ],
    [file('src/infrastructure/c.ts', "import { z } from 'zod';", "import { y } from '../kernel/d.ts';")],
  ],
  [
    'infrastructure has no name of the business',
    [
      file('src/infrastructure/http/a.ts', "throw new Rejected('INSUFFICIENT_BALANCE', 'no');"),
      file('src/infrastructure/http/b.ts', "req.get('service-wallet-signature')"),
      file('src/infrastructure/http/c.ts', "const fields = new Set(['lockedCurrencyAmount']);"),
      file('src/infrastructure/http/d.ts', 'const field = "amount";'),
      file('src/infrastructure/http/d.ts', "req.get('request-id')"),
    ],
    [
      file('src/infrastructure/http/e.ts', "throw new Rejected('INVALID_INPUT', 'no');"),
      file('src/infrastructure/http/f.ts', "res.setHeader('X-Request-Id', id);"),
      file('src/api/refusals.ts', "const codes = { INSUFFICIENT_BALANCE: 400, 'QUOTE_EXPIRED': 409 };"),
    ],
  ],
  [
    'use cases know no HTTP',
    [
      file('src/use-cases/a.ts', "import type { Request } from '../infrastructure/http/operation.ts';"),
      file('projections/b.ts', "import type { Express } from 'express';"),
    ],
    [file('src/use-cases/c.ts', "import { hashSecret } from '../infrastructure/secrets/hash.ts';")],
  ],
  [
    "nobody imports from a neighbour's routes",
    [
      file('src/api/quotes/a.ts', "import { loadPlatform } from '../platforms/routes.ts';"),
      file('src/workers/b.ts', "import { remove } from '../api/wallets/session-routes.ts';"),
    ],
    [
      file('src/api/wallets/c.ts', "import { sessions } from './session-routes.ts';"),
      file('src/app/d.ts', "import { quoteRoutes } from '../api/quotes/routes.ts';"),
    ],
  ],
  [
    'the sandbox is known to its own module and to what puts the service together',
    [
      file('src/api/quotes/a.ts', "import { suffixOf } from '../../sandbox/outcomes.ts';"),
      file('projections/a.ts', "import { x } from '../src/sandbox/outcomes.ts';"),
    ],
    [
      file('src/sandbox/rail.ts', "import { suffixOf } from './outcomes.ts';"),
      file('src/app/service.ts', "import { sandboxRail } from '../sandbox/rail.ts';"),
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
    'libxml2-wasm is imported in one file',
    [
      file('src/a.ts', "import { XmlDocument } from 'libxml2-wasm';"),
      file('src/b.ts', "import type { XmlElement } from 'libxml2-wasm';"),
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
      file('src/app/config.ts', 'const { env } = process; parse(process.env);'),
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
    [file('src/kernel/clock.ts', 'now: () => new Date()'), file('src/e.ts', 'const at = new Date(text);')],
  ],
  [
    'the time of the host is asked for by the shared clock only',
    [file('src/app/cli/commands/a.ts', 'keysSince(systemClock.now())')],
    [file('src/infrastructure/clock/shared-clock.ts', 'hostMs: () => systemClock.now().getTime(),')],
  ],
  [
    'names of streams are made in one file',
    [
      file('src/api/a.ts', `const stream = \`account-\${uuidOf(accountId)}\`;`),
      file('projections/b.ts', `read(\`beneficialowner-\${uuid}\`)`),
    ],
    [
      file('src/domain/streams.ts', `const stream = \`account-\${uuid}\`;`),
      file('src/app/c.ts', `const name = \`my-account-\${n}\`;`, "const stream = streamOf('account', id);"),
    ],
  ],
  [
    'express is imported by infrastructure and by what puts the service together',
    [
      file('src/api/quotes/routes.ts', "import { Router } from 'express';"),
      file('projections/a.ts', "import 'express';"),
    ],
    [
      file('src/app/http.ts', "import express from 'express';"),
      file('src/infrastructure/a.ts', "import express from 'express';"),
    ],
  ],
  [
    'pg is imported by infrastructure only',
    [
      file('src/api/routes.ts', "import { Pool } from 'pg';"),
      file('projections/a.ts', "import type { Pool } from 'pg';"),
    ],
    [file('src/infrastructure/postgres/pool.ts', "import pg from 'pg';")],
  ],
  [
    'kysely is imported by projections only',
    [file('src/use-cases/tokens.ts', "import { sql } from 'kysely';")],
    [file('projections/a.ts', "import { sql } from 'kysely';")],
  ],
  [
    'no file imports itself round a circle',
    [
      file('src/a/a.ts', "import type { b } from '../b/b.ts';"),
      file('src/b/b.ts', "import { C } from '../../projections/c.ts';"),
      file('projections/c.ts', "const { a } = await import('../src/a/a.ts');"),
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
  [
    'every code of the closed list is thrown somewhere',
    [file('src/kernel/rejected.ts', "  'NEVER_THROWN',", "  'THROWN',", "new Rejected('THROWN')")],
    [
      file('src/api/refusals.ts', "'NEVER_THROWN': 400"),
      file('src/api/quotes/operations.ts', "400: ['NEVER_THROWN']"),
    ],
  ],
  [
    'no comment cites a document that is not in the repository',
    [
      file('src/a.ts', '/** Completion 9.2. */'),
      file('src/b.ts', '// as service.md, Quote, has it'),
      file('src/c.ts', '/** Wallet-crypto 4: the nonce. */'),
      file('src/d.ts', '/** As in endpoints.tsv. */'),
    ],
    [
      file(
        'src/e.ts',
        '/** What docs/reference/errors.md lists. On completion 2 events follow. */'.replace(
          'completion 2',
          'success two',
        ),
      ),
    ],
  ],
  [
    'no object literal is spread into another',
    [file('src/a.ts', 'const a = { ...{ b, c }, d };')],
    [file('src/b.ts', 'const a = { ...b, ...(c && { c }) };')],
  ],
  ['no file is called index.ts', [file('src/a/index.ts', '')], [file('src/a/reindex.ts', '')]],
];

/** These are about all files together: how long they are. */
const lengths = 'half of the files have at most 70 lines, nine of ten at most 160';

describe('the rules', () => {
  it('have a planted violation each', () => {
    const named = [...planted.map(([rule]) => rule), lengths];
    expect(named.toSorted()).toEqual(rules.map(({ rule }) => rule).toSorted());
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

  it.each([
    ['half', [71, 71, 3]],
    ['nine of ten', [161, 161, ...Array(8).fill(3)]],
  ])('notice files that are too long for %s', (_part, lines) => {
    const check = rules.find(({ rule }) => rule === lengths)?.check ?? (() => []);
    const files = lines.map((n, i) => file(`src/${i}.ts`, ...Array(n).fill('x')));
    expect(check(files)).toHaveLength(1);
  });
});
