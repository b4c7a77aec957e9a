/** A request's path as the log shows it. Codes and payment addresses stand in paths too: only ids are shown. */

const id = /^[A-Z][A-Za-z]+:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const word = /^[a-z][a-z-]{0,39}$/;
const date = /^\d{4}-\d{2}-\d{2}$/;
const segmentsMax = 12;

/** The path of an operation, with those of its parameters that are ids. */
export const pathOfOperation = (path: string, params: Readonly<Record<string, unknown>>): string =>
  path.includes('{')
    ? path.replace(/\{(\w+)\}/g, (all, name) => {
        const value = String(params[name]);
        return id.test(value) ? value : all;
      })
    : path;

/** The path of nothing that is known: words, dates and ids of it, which say what was looked for. */
export const pathOfNothing = (path: string): string =>
  path
    .split('/', segmentsMax)
    .map((segment) => (segment === '' || [word, date, id].some((one) => one.test(segment)) ? segment : '…'))
    .join('/');
