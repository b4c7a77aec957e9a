export type ReadSoFar = {
  readonly events: number;
  /** The position of the last of them. */
  readonly done: bigint;
  /** The position of the event that will be the last. */
  readonly total: bigint;
  readonly seconds: number;
};

const barWidth = 24;

/**
 * How far the reading of a log has come, in one line: a bar, the percentage of the position, the rate, the time left.
 * Where positions have had no gaps so far, the last one is taken for the number of events.
 */
export function progressLine({ events, done, total, seconds }: ReadSoFar): string {
  const share = total > 0n ? Math.min(1, Number(done) / Number(total)) : 1;
  const filled = Math.floor(share * barWidth);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`;
  const percent = `${Math.floor(share * 100)} %`.padStart(5);
  const isCounted = BigInt(events) === done;
  const read = isCounted ? `${grouped(events)} of ${grouped(Number(total))}` : grouped(events);
  const rate = seconds > 0 ? `, ${grouped(Math.round(events / seconds))}/s` : '';
  const left = share > 0 && seconds > 0 ? `, ${duration((seconds * (1 - share)) / share)} left` : '';
  return `${bar} ${percent}  ${read} events${rate}${left}`;
}

const grouped = (count: number): string => count.toLocaleString('en-GB');

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}
