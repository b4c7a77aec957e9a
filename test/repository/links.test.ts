/** The documentation as a reader goes through it: from the README on, by links. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/*.md'], { cwd: root }).toSorted();
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');
/** What stands in blocks of code is no link and no heading. */
const prose = (page: string) =>
  textOf(page)
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ''));

type Link = { readonly to: string; readonly anchor: string | undefined };
const linksOf = (page: string): readonly Link[] =>
  [...prose(page).matchAll(/\]\(<?([^)\s>]*)>?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#');
      return { to: path ? relative(root, join(root, dirname(page), path)) : page, anchor };
    });
/** As GitHub makes them of headings. */
const anchorsOf = (page: string): readonly string[] =>
  [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/\]\([^)]*\)/g, '')
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

describe.each(pages)('the links of %s', (page) => {
  it('lead to what is there', () => {
    const dead = linksOf(page).filter(({ to, anchor }) => {
      if (!existsSync(join(root, to))) return true;
      return anchor !== undefined && to.endsWith('.md') && !anchorsOf(to).includes(anchor);
    });
    expect(dead).toEqual([]);
  });
});

describe('every page', () => {
  it('is reached from the README by links', () => {
    const reached = new Set(['README.md']);
    for (const page of reached)
      for (const { to } of linksOf(page)) {
        if (to.endsWith('.md') && existsSync(join(root, to))) reached.add(to);
      }
    expect(pages.filter((page) => !reached.has(page))).toEqual([]);
  });

  it('is short', () => {
    const generated = ['docs/reference/limits.md'];
    const long = pages.filter((page) => textOf(page).split('\n').length > 300 && !generated.includes(page));
    expect(long).toEqual([]);
  });

  it('is linked as a page, not as its folder, where the folder is not a list itself', () => {
    const folders = pages.flatMap((page) =>
      linksOf(page)
        .filter(({ to }) => existsSync(join(root, to)) && statSync(join(root, to)).isDirectory())
        .map(({ to }) => to),
    );
    expect([...new Set(folders)].toSorted()).toEqual(['docs/events']);
  });
});
