/** What happened, in words and figures: every event of what is asked about, in the order of the log. */
import { postingsOf } from '../../../../domain/books/postings.ts';
import { majorUnits } from '../../../../domain/money/in-words.ts';
import { stringify } from '../../../../kernel/json.ts';
import { describeEvent } from '../../../../use-cases/audit/describe-event.ts';
import { onLogAlone } from '../beside.ts';
import { printable } from '../printable.ts';
import { writingTo } from './output.ts';
import type { ReadEvent } from './reading.ts';
import { standingAt } from './standing.ts';
import { eventsAbout } from './target.ts';
import { isWithin, type Until } from './until.ts';

type Options = { readonly target: string; readonly until: Until; readonly json: boolean };

/** With `json` a line for each event, with all of its data. */
export const replay = ({ target, until, json }: Options): Promise<void> =>
  onLogAlone(({ log: whole }) =>
    writingTo(undefined, async (write) => {
      const log = await standingAt(whole, until);
      for await (const read of eventsAbout(log, target))
        if (isWithin(until, read)) await write(json ? `${asJson(read)}\n` : asText(read));
    }),
  );

function asText({ event, stored, moments }: ReadEvent): string {
  const { position, stream, type, metadata } = event;
  const entry = postingsOf(event).map(
    ({ account, minor, currency }) => `    ${account} ${majorUnits({ minor, currency })} ${currency}\n`,
  );
  return [
    `${position}  ${moments.recorded.toISOString()}  ${type}  ${stream} ${stored.revision}  ${printable(metadata.actor)}\n`,
    `    ${printable(describeEvent(event))}\n`,
    ...entry,
  ].join('');
}

function asJson({ event, stored, moments }: ReadEvent): string {
  const { position, stream, revision, id, type, data, metadata } = stored;
  const { actor, correlationId, causationId, platformId } = metadata;
  return stringify({
    position,
    stream,
    revision,
    id,
    type,
    platformId,
    happenedAt: moments.happened.toISOString(),
    recordedAt: moments.recorded.toISOString(),
    actor,
    correlationId,
    causationId,
    says: describeEvent(event),
    data,
  });
}
