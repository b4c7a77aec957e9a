/** What somebody elsewhere tells the processes by itself: again and again, until it is taken or nobody knows of it. */

/** How often it is looked for what there is to tell. */
export const lettersEveryMs = 3_000;
/** Of a telling that nobody has answered. */
const answerMaxMs = 20_000;
/** Of what nobody knows after so long, nobody will. */
const unknownMaxMs = 60_000;

type Letter<Told> = { readonly told: Told; at: number; readonly until: number };

type Deps<Told> = {
  readonly now: () => number;
  /** Tells it, and says whether it is taken; the last time, what nobody knows is as good as taken. */
  readonly tell: (told: Told, isLast: () => boolean) => Promise<boolean>;
};

export function openLetters<Told>({ now, tell }: Deps<Told>) {
  const letters = new Set<Letter<Told>>();
  const send = async (letter: Letter<Told>): Promise<void> => {
    letter.at = now() + answerMaxMs;
    if (await tell(letter.told, () => now() >= letter.until)) letters.delete(letter);
  };
  return {
    write(told: Told, afterMs: number): void {
      const at = now() + afterMs;
      letters.add({ told, at, until: at + unknownMaxMs });
    },
    has: (isIt: (told: Told) => boolean): boolean => [...letters].some(({ told }) => isIt(told)),
    /** What is done every now and then. */
    work(): void {
      for (const letter of letters) if (letter.at <= now()) void send(letter);
    },
    isWaiting: (): boolean => letters.size > 0,
  };
}
