/** Documents of customers and of owners of businesses: uploaded, replaced, deleted, and read by who may. */
import { fieldsOf, fileForm } from '../../../support/resources/documents.ts';
import type { Random } from '../../random.ts';
import { type Backends, decides, isBehind, type PlatformNumber } from '../client.ts';
import { type AllHoldings, type Missed, otherThan } from './holdings.ts';

/** Few enough to meet each other. */
const documentsMax = 4;
const linesMax = 2_000;

type Deps = { readonly random: Random; readonly holdings: AllHoldings; readonly missed: Missed[] };

export function documentsOf({ ask, read }: Backends, { random, holdings, missed }: Deps) {
  /** Somebody, and what is written of them in what they hand in. */
  const holder = (by: PlatformNumber) => {
    const { customers, businesses } = holdings[by];
    const customer = random.pick(customers);
    if (customer && random.chance(0.5)) return { id: customer.id, name: customer.emails.at(-1) ?? '' };
    const business = random.pick(businesses);
    const id = business && (random.pick(business.owners) ?? business.id);
    return id === undefined ? undefined : { id, name: 'owner' };
  };
  /** A file of its own, and what is said of it. */
  const formOf = (fields: Readonly<Record<string, string>>, name: string) => {
    const lines = `line ${random.below(linesMax)}\n`.repeat(1 + random.below(linesMax));
    return fileForm({ ...fields, documentNumber: `No. ${name}` }, `%PDF-1.7\n${lines}`, `${name}.pdf`);
  };
  const see = async (by: PlatformNumber, path: string) => {
    const others = await read(otherThan(by), path);
    if (others && others.status < 300) missed.push({ path, rule: 'nobody sees what is of another platform' });
    return read(by, path);
  };

  /** Somebody has asked for it to be deleted: it may be gone before that is answered. */
  const leaving = new Set<string>();

  const upload = async (by: PlatformNumber) => {
    const { documents } = holdings[by];
    const found = holder(by);
    if (!found || documents.length >= documentsMax) return;
    const form = formOf(fieldsOf(found.id), found.name);
    const made = await ask({ by, method: 'POST', path: '/documents', form });
    if (made?.status !== 201) return;
    documents.push({ id: made.body.id, name: found.name });
    const path = `/documents/${made.body.id}`;
    const seen = await see(by, path);
    const isThere = documents.some(({ id }) => id === made.body.id) && !leaving.has(made.body.id);
    if (seen?.status === 404 && isThere && !isBehind(made))
      missed.push({ path, rule: 'who has written reads it' });
  };
  const replace = async (by: PlatformNumber) => {
    const found = random.pick(holdings[by].documents);
    if (!found) return;
    const { documentHolder: _, ...fields } = fieldsOf('', { documentType: 'DRIVERS_LICENSE' });
    const form = formOf(fields, found.name);
    await ask({ by, method: 'PUT', path: `/documents/${found.id}`, form });
  };
  const remove = async (by: PlatformNumber) => {
    const { documents } = holdings[by];
    const found = random.pick(documents);
    if (!found) return;
    const path = `/documents/${found.id}`;
    leaving.add(found.id);
    const gone = await ask({ by, method: 'DELETE', path });
    if (!gone || !decides(gone)) return;
    const isGone = gone.status === 204 || gone.status === 404;
    // What was submitted stays: another one may come in its place.
    const n = documents.indexOf(found);
    if (n >= 0) documents.splice(n, 1);
    if (!isGone || isBehind(gone)) return;
    const seen = await see(by, path);
    if (seen?.status === 200) missed.push({ path, rule: 'who has written reads it' });
  };
  return { upload, replace, remove };
}
