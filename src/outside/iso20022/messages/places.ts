/**
 * Where an entry stands, so that none is taken for another: banks divide a statement into pages, and count statements
 * anew each year. The same for the same statement, however often it is brought.
 */
import { digestOf } from '../values/digest.ts';
import { at, type Element, needText, textAt } from '../xml/element.ts';
import { identifierMax } from './identifiers.ts';
import type { Entry } from './model.ts';

export type Place = Pick<Entry, 'place' | 'page' | 'apart'>;

/** What a statement says of itself beside its number. */
const ofStatement = ['ElctrncSeqNb', 'RptgSeq', 'LglSeqNb', 'CreDtTm', 'FrToDt'];
/** What tells statements apart that say nothing of it. */
const ofMessage = ['GrpHdr/MsgId', 'GrpHdr/CreDtTm'];

const partsAt = (element: Element, paths: readonly string[]): readonly Element[] =>
  paths.flatMap((path) => at(element, path) ?? []);

/** Throws `Unreadable` where the statement has no number. */
export function placesOf(message: Element, statement: Element): (line: Element, index: number) => Place {
  const statementId = needText(statement, 'Id', identifierMax).replaceAll('/', '_');
  const pages = [textAt(message, 'GrpHdr/MsgPgntn/PgNb'), textAt(statement, 'StmtPgntn/PgNb')];
  const page = pages.filter((one) => one !== undefined).join('/') || undefined;
  const own = partsAt(statement, ofStatement);
  const origin = digestOf(pages, own.length > 0 ? own : partsAt(message, ofMessage));
  return (line, index) => ({
    place: `${statementId}/${index + 1}`,
    page,
    apart: digestOf(origin, line),
  });
}

/** Each entry of a message stands in it once: those that have everything in common are counted. */
export function countedApart(entries: readonly Entry[]): readonly Entry[] {
  const counts = new Map<string, number>();
  return entries.map((entry) => {
    const { account, direction, place, apart } = entry;
    const name = JSON.stringify([account, direction, place, apart]);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? entry : { ...entry, apart: `${apart}~${count}` };
  });
}
