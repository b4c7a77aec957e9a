/** Where the page is: a path below `/console`, and its query. The browser's history is the only place that has it. */
import { useLayoutEffect, useState } from 'preact/hooks';

export const base = '/console';

export type Place = { readonly path: string; readonly query: URLSearchParams };

const moved = new Set<() => void>();

const placeNow = (): Place => ({
  path: location.pathname.slice(base.length).replace(/\/+$/, '') || '/',
  query: new URLSearchParams(location.search),
});

/** Another page begins at its top; where one was is the browser's to know, when somebody goes back. */
export function goTo(path: string, { replace = false } = {}): void {
  const before = location.pathname;
  history[replace ? 'replaceState' : 'pushState'](null, '', base + path);
  if (!replace && location.pathname !== before) scrollTo(0, 0);
  for (const tell of moved) tell();
}

export const pathWith = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
};

/** What an address says under these names. */
export const givenIn = (query: URLSearchParams, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries([...query].filter(([name]) => names.includes(name)));

export function usePlace(): Place {
  const [place, setPlace] = useState(placeNow);
  // Before anything is painted: who is quick moves on before an effect is run, and the page would stay behind.
  useLayoutEffect(() => {
    const tell = () => setPlace(placeNow());
    moved.add(tell);
    addEventListener('popstate', tell);
    return () => {
      moved.delete(tell);
      removeEventListener('popstate', tell);
    };
  }, []);
  return place;
}

/** Links within the console do not load it anew; those with a modifier key are the browser's. */
export function followLinks(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isOurs = link?.origin === location.origin && `${link.pathname}/`.startsWith(`${base}/`);
  if (!link || !isOurs || link.target || event.defaultPrevented) return;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  goTo(link.pathname.slice(base.length) + link.search);
}
