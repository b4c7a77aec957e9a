/** The rules of who may depend on whom, as checks over the text of the sources. */
import { posix } from 'node:path';
import { aggregates } from '../../../src/domain/aggregates.ts';
import { rejectionCodes } from '../../../src/kernel/rejected.ts';
import { codesThatNobodyThrows } from './thrown-codes.ts';

export type Source = { readonly path: string; readonly text: string };
type Rule = {
  readonly rule: string;
  readonly because: string;
  /** One line for each thing that breaks the rule. */
  readonly check: (sources: readonly Source[]) => readonly string[];
};

/** The wings, from the top down: an import goes to the same wing or to one further down. */
export const wings = [
  'src/main.js',
  'src/app',
  'src/api',
  'src/workers',
  'src/sandbox',
  'src/outside',
  'src/use-cases',
  'projections',
  'src/domain',
  'src/infrastructure',
  'src/kernel',
] as const;

const importPatterns = [
  /^import\s+(?:[^'"();]*\bfrom\s*)?['"]([^'"]+)['"]/gm,
  /^export\s+(?:type\s+)?(?:\*|\{)[^'"();]*\bfrom\s*['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]/g,
];

/** What a file imports, types and dynamic imports included: paths from the root, and names of packages. */
export const importsOf = ({ path, text }: Source): readonly string[] =>
  importPatterns
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([, name = '']) => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name));

const isOwn = (name: string) => /^(src|projections|test|docs|packages|console)\//.test(name);
const isPackage = (name: string, of: string) => name === of || name.startsWith(`${of}/`);
const within =
  (...folders: readonly string[]) =>
  (path: string) =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

const wingOf = (path: string) => wings.findIndex((wing) => within(wing)(path));

const refusedImports =
  (applies: (source: Source) => boolean, refused: (name: string, source: Source) => boolean): Rule['check'] =>
  (sources) =>
    sources.filter(applies).flatMap((source) =>
      importsOf(source)
        .filter((name) => refused(name, source))
        .map((name) => `${source.path} imports ${name}`),
    );

const inWing =
  (...folders: readonly string[]) =>
  ({ path }: Source) =>
    within(...folders)(path);

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

/** Refusals that any HTTP interface has. All other codes are words of the business. */
const protocolCodes = [
  'INVALID_INPUT',
  'INVALID_REQUEST_FORMAT',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'REFERENCE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'CONFLICT',
  'IDEMPOTENCY_KEY_REUSED',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_ERROR',
  'NOT_IMPLEMENTED',
];

const businessCodes = rejectionCodes.filter((code) => !protocolCodes.includes(code));

const businessWords = new RegExp(
  `\\b(?:(?:Service|Grid)-Wallet-Signature|(?<!X-)Request-Id|(?:[a-z]+A|a)mounts?|${businessCodes.join('|')})\\b`,
  'gi',
);

const namesOfTheBusiness: Rule['check'] = (sources) =>
  sources
    .filter(inWing('src/infrastructure'))
    .flatMap(({ path, text }) => [...text.matchAll(businessWords)].map(([word]) => `${path} names ${word}`));

const streamNames = new RegExp(
  `\`(?:${Object.values(aggregates)
    .map(({ category }) => category)
    .join('|')})-\\$\\{`,
  'g',
);

/** Each cycle once, as the files along it. */
function cycles(sources: readonly Source[]): readonly string[] {
  const graph = new Map(sources.map((source) => [source.path, importsOf(source).filter(isOwn)]));
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
const medianMax = 70;
const mostMax = 160;

const linesOf = ({ text }: Source) => text.trimEnd().split('\n').length;

/** How long the file is that so large a part of all files does not exceed. */
const quantile = (sources: readonly Source[], part: number) =>
  sources.map(linesOf).toSorted((a, b) => a - b)[Math.ceil(sources.length * part) - 1] ?? 0;

const atMost = (sources: readonly Source[], part: number, max: number) => {
  const lines = quantile(sources, part);
  return lines <= max ? [] : [`${part * 100} % of the files have up to ${lines} lines`];
};

const documents =
  /\b[Cc]ompletion(?:\.md)?,? (?:\d|§)|\bservice\.md\b|\bendpoints\.tsv\b|\b[Ww]allet-crypto \d/g;

export const rules: readonly Rule[] = [
  {
    rule: 'imports go downwards from wing to wing',
    because: 'whoever knows a wing knows only what lies below it',
    check: refusedImports(
      () => true,
      (name, { path }) => isOwn(name) && (wingOf(name) < 0 || wingOf(name) < wingOf(path)),
    ),
  },
  {
    rule: 'every file is in a wing',
    because: 'a file beside the wings is one that nobody looks for',
    check: (sources) => sources.filter(({ path }) => wingOf(path) < 0).map(({ path }) => path),
  },
  {
    rule: 'the domain imports nothing but the kernel, and zod for its shapes',
    because: 'a decision is a pure function of command and history',
    check: refusedImports(
      inWing('src/domain'),
      (name) => name !== 'zod' && !within('src/domain', 'src/kernel')(name),
    ),
  },
  {
    rule: 'the kernel imports nothing but what makes ids and schemas',
    because: 'everybody uses its words',
    check: refusedImports(
      inWing('src/kernel'),
      (name) => !['zod', 'uuid', 'node:crypto'].includes(name) && !within('src/kernel')(name),
    ),
  },
  {
    rule: 'infrastructure imports nothing of the business',
    because: 'plumbing has to survive a change of business',
    check: refusedImports(
      inWing('src/infrastructure'),
      (name) => isOwn(name) && !within('src/infrastructure', 'src/kernel')(name),
    ),
  },
  {
    rule: 'infrastructure has no name of the business',
    because: 'refusal codes, wallet headers and amount fields are handed to it',
    check: namesOfTheBusiness,
  },
  {
    rule: 'use cases know no HTTP',
    because: 'the worker and an agent run them as well',
    check: refusedImports(
      inWing('src/use-cases', 'src/sandbox', 'projections'),
      (name) =>
        within('src/infrastructure/http/describe')(name) ||
        /^src\/infrastructure\/http\/(operation|router|serve|parse|problem|server)\.ts$/.test(name) ||
        isPackage(name, 'express'),
    ),
  },
  {
    rule: "nobody imports from a neighbour's routes",
    because: 'a rule beside routes is one that others copy',
    check: refusedImports(inWing('src/api', 'src/workers'), (name, { path }) => {
      const isRoutes = /(^|[/-])routes\.ts$/.test(name);
      return isRoutes && posix.dirname(name) !== posix.dirname(path);
    }),
  },
  {
    rule: 'the sandbox is known to its own module and to what puts the service together',
    because: 'nobody else may learn that suffixes mean something',
    check: refusedImports(
      ({ path }) => !within('src/sandbox', 'src/api/sandbox', 'src/app')(path),
      within('src/sandbox'),
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
    rule: 'libxml2-wasm is imported in one file',
    because: 'what it opens has to be closed, and nothing may be loaded or expanded',
    check: inOneFile('libxml2-wasm'),
  },
  {
    rule: 'process.env is read in config.ts only',
    because: 'all settings are known, checked and reported at once',
    check: textConfined(
      /process\.env|(?<=import\s*\{[^}]*)\benv\b(?=[^}]*\}\s*from 'node:process')/g,
      (path) => path === 'src/app/config.ts',
    ),
  },
  {
    rule: 'time and chance come from clock.ts and ids.ts only',
    because: 'everything else is repeatable',
    check: textConfined(
      /\bDate\.now\(|\bnew Date\(\s*\)|\bMath\.random\(|\brandomUUID\b/g,
      within('src/kernel/clock.ts', 'src/kernel/ids.ts'),
    ),
  },
  {
    rule: 'the time of the host is asked for by the shared clock only',
    because: 'processes and commands go by the time of the database, whatever their host says',
    check: textConfined(/\bsystemClock\b/g, within('src/kernel/clock.ts', 'src/infrastructure/clock')),
  },
  {
    rule: 'names of streams are made in one file',
    because: 'a kind of stream has one name, which a wrong kind does not compile to',
    check: textConfined(streamNames, within('src/domain/streams.ts')),
  },
  {
    rule: 'express is imported by infrastructure and by what puts the service together',
    because: 'modules describe operations; one file mounts them',
    check: confined('express', within('src/infrastructure', 'src/app')),
  },
  {
    rule: 'pg is imported by infrastructure only',
    because: 'rows are reached through Kysely',
    check: confined('pg', within('src/infrastructure')),
  },
  {
    rule: 'kysely is imported by projections only',
    because: 'a read model is one file, its queries included',
    check: confined('kysely', within('projections')),
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
        .filter((source) => linesOf(source) > linesMax)
        .map((source) => `${source.path} has ${linesOf(source)} lines`),
  },
  {
    rule: `half of the files have at most ${medianMax} lines, nine of ten at most ${mostMax}`,
    because: 'a reader keeps one file in mind at a time',
    check: (sources) => [...atMost(sources, 0.5, medianMax), ...atMost(sources, 0.9, mostMax)],
  },
  {
    rule: 'every code of the closed list is thrown somewhere',
    because: 'what is declared and cannot occur misleads who handles errors',
    check: codesThatNobodyThrows,
  },
  {
    rule: 'no comment cites a document that is not in the repository',
    because: 'a rule that cannot be looked up has to be stated',
    check: textConfined(documents, () => false),
  },
  {
    rule: 'no object literal is spread into another',
    because: 'its members can stand there themselves',
    check: textConfined(/\.\.\.\{/g, () => false),
  },
  {
    rule: 'no file is called index.ts',
    because: 'an import names the file it means',
    check: (sources) => sources.filter(({ path }) => path.endsWith('/index.ts')).map(({ path }) => path),
  },
];
