/** Who follows a platform's events all the time: of whichever process takes the request, and on after what was heard before. */
import { type Backends, type PlatformNumber, platformNumbers } from '../client.ts';

const followSeconds = 3;
const againMs = 500;

/** An event as a platform has heard of it. */
export type HeardOf = { readonly position: bigint; readonly type: string; readonly id: string };

/** All that a platform has heard of, and how far it has followed the log. */
export type Followed = { readonly events: readonly HeardOf[]; readonly until: bigint };

export type Audience = {
  /** By the number of the platform. */
  readonly heard: () => readonly Followed[];
  /** Hears what is there until now, and ends. */
  readonly leave: () => Promise<void>;
};

/** Begins after this position. */
export function openAudience({ read, pause }: Backends, begins: bigint): Audience {
  const heard = platformNumbers.map((): HeardOf[] => []);
  const until = platformNumbers.map(() => begins);
  let isLeaving = false;
  /** Whether an answer came. */
  const listen = async (by: PlatformNumber): Promise<boolean> => {
    const answer = await read(by, `/sandbox/events?after=${until[by]}&seconds=${followSeconds}`);
    if (answer?.status !== 200) return false;
    for (const { id, event, data } of sentIn(answer.body)) {
      until[by] = BigInt(id);
      if (event) heard[by]?.push({ position: BigInt(id), type: event, id: JSON.parse(data).id });
    }
    return true;
  };
  const follow = async (by: PlatformNumber): Promise<void> => {
    for (;;) {
      const isLast = isLeaving;
      const isAnswered = await listen(by);
      if (isLast && isAnswered) return;
      if (!isAnswered) await pause(againMs);
    }
  };
  const following = Promise.all(platformNumbers.map(follow));
  following.catch(() => undefined);
  return {
    heard: () => platformNumbers.map((by) => ({ events: heard[by] ?? [], until: until[by] ?? begins })),
    async leave() {
      isLeaving = true;
      await following;
    },
  };
}

/** What HTML says of a stream of events, for those that end with an empty line: what was cut off before is none. */
function sentIn(text: string) {
  const whole = text.split('\n\n').slice(0, -1);
  return whole.flatMap((block) => {
    const fields = new Map(
      block.split('\n').map((line) => {
        const [, name = '', value = ''] = /^(\w*): ?(.*)$/.exec(line) ?? [];
        return [name, value];
      }),
    );
    const id = fields.get('id');
    return id === undefined ? [] : [{ id, event: fields.get('event'), data: fields.get('data') ?? '' }];
  });
}
