/** What is around each page: where one can go, search, and who is signed in. */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useAction } from '../data/load.ts';
import { signOut, useSession } from '../data/session.ts';
import { shortOf } from '../kernel/ids.ts';
import { type Shortcut, useShortcuts } from '../kernel/keys.ts';
import { base, goTo, pathWith } from '../kernel/route.ts';
import { chooseTheme, chosenTheme, type Theme, themes } from '../kernel/theme.ts';
import { Dialog } from '../parts/dialog.tsx';
import { pageOf } from '../parts/values.tsx';

const places = [
  ['payments', 'Payments', 'p'],
  ['customers', 'Customers', 'c'],
  ['accounts', 'Accounts', 'a'],
  ['books', 'Books', 'b'],
  ['requests', 'Requests', 'r'],
  ['webhooks', 'Webhooks', 'w'],
  ['agents', 'Agents', 'n'],
  ['sandbox', 'Sandbox', 's'],
  ['audit', 'Audit', 'u'],
  ['health', 'Health', 'h'],
] as const;

/** Of pages that are not among the places. */
const titles: Readonly<Record<string, string>> = { find: 'Search' };

type ShellProps = {
  readonly at: string;
  /** The id of what the page is about, where it is not a list. */
  readonly thing: string | undefined;
  readonly children: ComponentChildren;
};

/** Who goes to another page by keys or by ear is at its heading then. */
function useHeading(page: string): void {
  const opened = useRef(page);
  useEffect(() => {
    if (opened.current === page) return;
    opened.current = page;
    const heading = document.querySelector<HTMLElement>('main h1');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [page]);
}

export function Shell({ at, thing, children }: ShellProps) {
  const { platformName, tokenName, environment } = useSession();
  const search = useRef<HTMLInputElement>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [theme, setTheme] = useState(chosenTheme);
  const leaving = useAction(signOut);
  const shown = places.filter(([name]) => name !== 'sandbox' || environment === 'SANDBOX');
  const shortcuts = useMemo<readonly Shortcut[]>(
    () => [
      { keys: '/', does: 'Search by any id', run: () => search.current?.focus() },
      ...places.map(([name, title, key]) => ({
        keys: `g ${key}`,
        does: `Go to ${title.toLowerCase()}`,
        run: () => goTo(`/${name}`),
      })),
      { keys: '?', does: 'Show these keys', run: () => setHelpOpen(true) },
    ],
    [],
  );
  useShortcuts(shortcuts);
  const title = places.find(([place]) => place === at)?.[1] ?? titles[at] ?? 'Console';
  const name = thing === undefined ? title : `${shortOf(thing)} · ${title}`;
  useEffect(() => {
    document.title = `${name} · Daybook console`;
  }, [name]);
  useHeading(`${at} ${thing ?? ''}`);
  return (
    <div class="shell">
      <header>
        <a class="skip" href="#page">
          Skip to the page
        </a>
        <a class="brand" href={`${base}/payments`}>
          Daybook
        </a>
        <form
          class="everything"
          onSubmit={(event) => {
            event.preventDefault();
            const id = search.current?.value.trim() ?? '';
            search.current?.blur();
            if (id) goTo(pageOf(id) ?? pathWith('/find', { id }));
          }}
        >
          <input
            ref={search}
            type="search"
            aria-label="Search by any id"
            placeholder="Search by any id  ( / )"
            maxLength={100}
            spellcheck={false}
            onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
          />
        </form>
        <div class="who">
          <span>
            {platformName} <span class="muted">{tokenName}</span>
          </span>
          <span class={`status ${environment === 'SANDBOX' ? 'warn' : 'good'}`}>
            {environment.toLowerCase()}
          </span>
          <select
            aria-label="Theme"
            value={theme}
            onChange={({ currentTarget: { value } }) => {
              chooseTheme(value as Theme);
              setTheme(value as Theme);
            }}
          >
            {themes.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          <button type="button" aria-label="Keys" onClick={() => setHelpOpen(true)}>
            ?
          </button>
          <button type="button" disabled={leaving.isBusy} onClick={() => void leaving.run()}>
            Sign out
          </button>
        </div>
      </header>
      <nav aria-label="Pages">
        <ul>
          {shown.map(([name, label, key]) => (
            <li key={name}>
              <a href={`${base}/${name}`} aria-current={name === at ? (thing ? 'true' : 'page') : undefined}>
                {label} <kbd>g {key}</kbd>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main id="page" tabIndex={-1}>
        {children}
      </main>
      {isHelpOpen && (
        <Dialog title="Keys" close={() => setHelpOpen(false)}>
          <table>
            <caption class="unseen">Keys and what they do</caption>
            <tbody>
              {shortcuts.map(({ keys, does }) => (
                <tr key={keys}>
                  <th scope="row">
                    <kbd>{keys}</kbd>
                  </th>
                  <td>{does}</td>
                </tr>
              ))}
              <tr>
                <th scope="row">
                  <kbd>Esc</kbd>
                </th>
                <td>Leave the search, close this</td>
              </tr>
            </tbody>
          </table>
        </Dialog>
      )}
    </div>
  );
}
