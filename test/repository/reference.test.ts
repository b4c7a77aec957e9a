/** What pages of the reference list is what the code has. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { notNeeded, originals } from '../../projections/kept/originals.ts';
import { projections } from '../../projections/projector/projections.ts';
import { aggregates, eventSchemas } from '../../src/domain/aggregates.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const sorted = (texts: Iterable<string>) => [...texts].toSorted();
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);
/** A chapter of a page: from its heading to the next of its level. */
const chapter = (page: string, heading: string) =>
  page.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';

describe('docs/reference/events.md', () => {
  const chapters = read('docs/reference/events.md').split(/^## /m).slice(1);
  const listed = new Map(
    chapters.map((text) => [/`([a-z]+)-<uuid>`/.exec(text)?.[1], all(text, /^\| \[(\w+)\]\(/gm)]),
  );

  it.each(Object.values(aggregates).map(({ category, schemas }) => [category, schemas] as const))(
    'has the events of the stream %s',
    (category, schemas) => {
      expect(sorted(listed.get(category) ?? [])).toEqual(sorted(Object.keys(schemas)));
    },
  );

  it('has no other streams', () => {
    expect(listed.size).toBe(Object.keys(aggregates).length);
  });
});

describe('docs/reference/streams-and-ids.md', () => {
  const page = read('docs/reference/streams-and-ids.md');

  it('has every kind of stream', () => {
    const listed = all(chapter(page, 'Streams'), /^\| `([a-z]+)-<uuid>`/gm);
    expect(sorted(listed)).toEqual(sorted(Object.values(aggregates).map(({ category }) => category)));
  });

  it('has every type of id', () => {
    const [types = ''] = all(read('src/kernel/ids.ts'), /export type IdType =([^;]+);/g);
    const listed = all(chapter(page, 'Ids').split('| Made')[0] ?? '', /`([A-Z]\w+)`/g);
    expect(sorted(listed)).toEqual(sorted([...all(types, /'(\w+)'/g), 'Email']));
  });

  it('has every table that is not made from the log', () => {
    const lines = chapter(page, 'Postgres schemas').split('\n');
    const named = (says: string) =>
      lines.filter((line) => line.includes(says)).flatMap((line) => all(line, /`([a-z_]+)`/g).slice(1));
    expect(sorted(named('| no, back it up'))).toEqual(sorted(originals));
    expect(sorted(named('| no, and not needed'))).toEqual(sorted(notNeeded));
  });
});

describe('docs/how-to/rebuild-a-read-model.md', () => {
  it('has every read model', () => {
    const [list = ''] = all(read('docs/how-to/rebuild-a-read-model.md'), /^The read models: (.+)$/gm);
    expect(all(list, /`([a-z-]+)`/g)).toEqual(projections.map(({ name }) => name));
  });
});

describe('docs/reference/configuration.md', () => {
  /** Read by the connection to banks, as every module of a rail reads its own. */
  const ofRails = ['DAYBOOK_RAIL_SETTINGS'];

  it('has every variable, and no others', () => {
    const code = ['src/app/config.ts', 'src/app/outside-config.ts', 'src/app/variables/kept.ts']
      .map(read)
      .join('\n');
    const known = new Set(
      all(code, /\b(DAYBOOK_[A-Z_]*[A-Z]|[A-Z]+_URL|PORT|HOST|LOG_LEVEL)\b(?=['":]|\?:)/g),
    );
    const listed = all(read('docs/reference/configuration.md'), /^\| `([A-Z_]+)`/gm);
    expect(sorted(listed)).toEqual(sorted([...known, ...ofRails]));
  });
});

describe('docs/dependencies.md', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  const { optionalDependencies } = JSON.parse(read('runtime/package.json'));

  /** Of the packages here, beside what the service has too. */
  const ofPackages = ['client', 'testing', 'testcontainers', 'client/generator'].flatMap((folder) =>
    Object.keys(JSON.parse(read(`packages/${folder}/package.json`)).dependencies).filter(
      (name) => !name.startsWith('@daybook/'),
    ),
  );

  it('has every package, and no others', () => {
    const [page = ''] = read('docs/dependencies.md').split('\n## Looked at, and not taken\n');
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const listed = rows.flatMap((line) => all(line.split('|')[1] ?? '', /`([^`]+)`/g));
    const packages = { ...dependencies, ...devDependencies, ...optionalDependencies };
    expect(sorted(new Set(listed))).toEqual(sorted(new Set([...Object.keys(packages), ...ofPackages])));
  });
});

describe('docs/operations/runbook.md', () => {
  it('has every line of the log that warns', () => {
    const sources = globSync(['src/**/*.ts', 'projections/**/*.ts'], { cwd: root }).map(read);
    const said = sources.flatMap((text) =>
      all(text, /\blog\??\.(?:warn|error|fatal)\(\s*(?:\{[^}]*\}\s*,\s*)?'([^']+)'/g),
    );
    const listed = new Set(all(chapter(read('docs/operations/runbook.md'), 'Log lines'), /^\| `([^`]+)`/gm));
    expect(sorted(new Set(said)).filter((line) => !listed.has(line))).toEqual([]);
  });
});

describe('docs/explanation/life-of-a-payment.md', () => {
  const page = read('docs/explanation/life-of-a-payment.md');
  const diagrams = all(page, /^```mermaid\n([\s\S]*?)^```/gm).join('\n');

  it('has every event of a payment, and draws none that there is not', () => {
    const drawn = new Set(all(diagrams, /\b([A-Z][a-z]+[A-Z]\w+)\b/g));
    expect(sorted(drawn).filter((type) => !(type in eventSchemas))).toEqual([]);
    const types = Object.keys(aggregates.transaction.schemas);
    expect(types.filter((type) => !page.includes(type))).toEqual([]);
  });
});
