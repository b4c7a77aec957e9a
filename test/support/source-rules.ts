/** The rules of who may depend on whom, as checks over the text of the sources. */
import { posix } from 'node:path';

export type Source = { readonly path: string; readonly text: string };
type Rule = {
  readonly rule: string;
  readonly because: string;
  /** One line for each thing that breaks the rule. */
  readonly check: (sources: readonly Source[]) => readonly string[];
};

const importPatterns = [
  /^import\s+(?:[^'"();]*\bfrom\s*)?['"]([^'"]+)['"]/gm,
  /^export\s+(?:type\s+)?(?:\*|\{)[^'"();]*\bfrom\s*['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]/g,
];

/** What a file imports, types included: paths from the root of the repository, and names of packages. */
export const importsOf = ({ path, text }: Source): readonly string[] =>
  importPatterns
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([, name = '']) => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name));

const isOwn = (name: string) => /^(src|projections)\//.test(name);
const isPackage = (name: string, of: string) => name === of || name.startsWith(`${of}/`);
const within =
  (...folders: readonly string[]) =>
  (path: string) =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

const refusedImports =
  (applies: (source: Source) => boolean, refused: (name: string, source: Source) => boolean): Rule['check'] =>
  (sources) =>
    sources.filter(applies).flatMap((source) =>
      importsOf(source)
        .filter((name) => refused(name, source))
        .map((name) => `${source.path} imports ${name}`),
    );

/** Only these files may import the package. */
const confined = (name: string, allowed: (path: string) => boolean) =>
  refusedImports(
    ({ path }) => !allowed(path),
    (imported) => isPackage(imported, name),
  );

/** At most one file of `src` may import the package. */
const inOneFile =
  (name: string): Rule['check'] =>
  (sources) => {
    const importing = sources.filter(
      (source) =>
        source.path.startsWith('src/') && importsOf(source).some((imported) => isPackage(imported, name)),
    );
    return importing.length <= 1 ? [] : importing.map(({ path }) => `${path} imports ${name}`);
  };

/** The text may stand in these files only. */
const textConfined =
  (pattern: RegExp, allowed: (path: string) => boolean): Rule['check'] =>
  (sources) =>
    sources
      .filter(({ path }) => !allowed(path))
      .flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([found]) => `${path} has ${found}`));

/** Deciders and their folds, policies, the ledger, prices and the sandbox's tables: what has to stay pure. */
const isPure = ({ path, text }: Source) =>
  path.startsWith('src/') &&
  !path.startsWith('src/infrastructure/') &&
  (/\/(policy|policies|pricing|provisioning|progress|settlement|terms|outcomes|authorize|usage|policy-changes|convert|payer-fields|counterparty-information)\.ts$/.test(
    path,
  ) ||
    path.startsWith('src/ledger/') ||
    /:\s*Decider</.test(text));

const isSchemaFile = (path: string) => /\/(events|postings)\.ts$/.test(path);

/** `import type` leaves nothing at run time: the list of tables may name each read model that is read through it. */
const withoutTypes = (source: Source): Source => ({
  ...source,
  text: source.text.replaceAll(/^import type [^;]+;/gm, ''),
});

/** Each cycle once, as the files along it. */
function cycles(sources: readonly Source[]): readonly string[] {
  const graph = new Map(
    sources.map((source) => [source.path, importsOf(withoutTypes(source)).filter(isOwn)]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return found;
}

const linesMax = 300;

export const rules: readonly Rule[] = [
  {
    rule: 'src/infrastructure imports nothing of the business',
    because: 'plumbing has to survive a change of business',
    check: refusedImports(
      ({ path }) => path.startsWith('src/infrastructure/'),
      (name) => isOwn(name) && !name.startsWith('src/infrastructure/'),
    ),
  },
  {
    rule: 'deciders, policies, prices and the ledger import no library',
    because: 'a decision is a pure function of command and history',
    check: refusedImports(
      isPure,
      (name, { path }) => !isOwn(name) && !(name === 'zod' && isSchemaFile(path)),
    ),
  },
  {
    rule: 'deciders, policies, prices and the ledger know neither projections nor HTTP',
    because: 'what is decided rests on the log, and means the same to every caller',
    check: refusedImports(isPure, within('projections', 'src/infrastructure/http')),
  },
  {
    rule: 'events.ts imports nothing but zod, ids, codecs, other events and types of its module',
    because: 'events are for ever, and are read by people who have none of the rest',
    check: refusedImports(
      ({ path }) => path.endsWith('/events.ts'),
      (name, { path }) =>
        name !== 'zod' &&
        !/^src\/infrastructure\/(ids|codecs)\.ts$/.test(name) &&
        name !== 'src/ledger/postings.ts' &&
        !/^src\/[^/]+\/events\.ts$/.test(name) &&
        posix.dirname(name) !== posix.dirname(path),
    ),
  },
  {
    rule: 'the sandbox is known to its own module and to what puts the service together',
    because: 'nobody else may learn that suffixes mean something',
    check: refusedImports(
      ({ path }) =>
        !path.startsWith('src/sandbox/') &&
        !within('src/service.ts', 'src/routes.ts', 'src/operations.ts', 'src/cli')(path),
      within('src/sandbox'),
    ),
  },
  {
    rule: 'rails know no routes and no HTTP',
    because: 'the worker pays without anybody asking',
    check: refusedImports(
      ({ path }) => path.startsWith('src/rails/'),
      (name) => within('src/infrastructure/http')(name) || /\/routes\.ts$/.test(name),
    ),
  },
  {
    rule: '@eventstore/db-client is imported in one file',
    because: 'the log is a port, and this is one of its adapters',
    check: inOneFile('@eventstore/db-client'),
  },
  {
    rule: 'bullmq is imported in one file',
    because: 'queues are a port as well',
    check: inOneFile('bullmq'),
  },
  {
    rule: 'process.env is read in config.ts only',
    because: 'all settings are known, checked and reported at once',
    check: textConfined(
      /process\.env|(?<=import\s*\{[^}]*)\benv\b(?=[^}]*\}\s*from 'node:process')/g,
      (path) => path === 'src/config.ts',
    ),
  },
  {
    rule: 'time and chance come from clock.ts and ids.ts only',
    because: 'everything else is repeatable',
    check: textConfined(
      /\bDate\.now\(|\bnew Date\(\s*\)|\bMath\.random\(|\brandomUUID\b/g,
      within('src/infrastructure/clock.ts', 'src/infrastructure/ids.ts'),
    ),
  },
  {
    rule: 'express is imported by infrastructure and app.ts only',
    because: 'modules describe operations; one file mounts them',
    check: confined('express', within('src/infrastructure', 'src/app.ts')),
  },
  {
    rule: 'pg is imported by infrastructure, service.ts and tokens only',
    because: 'rows are reached through Kysely',
    check: confined('pg', within('src/infrastructure', 'src/service.ts', 'src/tokens')),
  },
  {
    rule: 'kysely is imported by projections, infrastructure, service.ts and tokens only',
    because: 'a read model is one file, its queries included',
    check: confined('kysely', within('projections', 'src/infrastructure', 'src/service.ts', 'src/tokens')),
  },
  {
    rule: 'no file imports itself round a circle',
    because: 'what points both ways is one file in two halves',
    check: cycles,
  },
  {
    rule: `no file is longer than ${linesMax} lines`,
    because: 'it would be about more than one thing',
    check: (sources) =>
      sources
        .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
        .filter(({ lines }) => lines > linesMax)
        .map(({ path, lines }) => `${path} has ${lines} lines`),
  },
  {
    rule: 'no file is called index.ts',
    because: 'an import names the file it means',
    check: (sources) => sources.filter(({ path }) => path.endsWith('/index.ts')).map(({ path }) => path),
  },
];
