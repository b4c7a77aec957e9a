import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, type Source } from '../support/repository/source-rules.ts';

const root = join(import.meta.dirname, '../..');
const read = (pattern: string): readonly Source[] =>
  globSync(pattern, { cwd: root }).map((path) => ({
    path: path.replaceAll('\\', '/'),
    text: readFileSync(join(root, path), 'utf8'),
  }));
const sources = [...read('console/main.tsx'), ...read('console/{kernel,data,parts,pages}/**/*.{ts,tsx}')];

/** From the top down: an import goes to the same folder or to one further down. */
const order = ['console/main.tsx', 'console/pages', 'console/parts', 'console/data', 'console/kernel'];
const placeOf = (path: string) => order.findIndex((one) => path === one || path.startsWith(`${one}/`));
const packages = ['@daybook/client', 'preact', 'preact/hooks', 'uplot', 'uplot/dist/uPlot.min.css'];

const upwards = (all: readonly Source[]) =>
  all.flatMap((source) =>
    importsOf(source)
      .filter((name) =>
        name.startsWith('console/')
          ? !name.startsWith('console/style/') && placeOf(name) < placeOf(source.path)
          : !packages.includes(name),
      )
      .map((name) => `${source.path} imports ${name}`),
  );

describe('the sources of the console', () => {
  it('import downwards, and of the service nothing but its client', () => {
    expect(sources.length).toBeGreaterThan(25);
    expect(upwards(sources)).toEqual([]);
  });

  it('are refused what points upwards or into the service', () => {
    const planted = [
      { path: 'console/data/a.ts', text: "import { B } from '../parts/b.tsx';" },
      { path: 'console/parts/a.ts', text: "import { id } from '../../src/kernel/ids.ts';" },
      { path: 'console/pages/a.ts', text: "import { rows } from '../../projections/rows.ts';" },
    ];
    expect(upwards(planted)).toHaveLength(planted.length);
  });

  it('have at most 300 lines each', () => {
    expect(sources.filter(({ text }) => text.split('\n').length > 301).map(({ path }) => path)).toEqual([]);
  });

  it('put nothing into a page but text', () => {
    const risky = /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write|\beval\(/;
    expect(sources.filter(({ text }) => risky.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('are imported by nothing of the service', () => {
    const service = read('{src,projections}/**/*.ts');
    const importing = service.filter((source) =>
      importsOf(source).some((name) => name.startsWith('console/')),
    );
    expect(importing.map(({ path }) => path)).toEqual([]);
  });
});
