import { z } from 'zod';

const pattern =
  /^P(?=\d|T\d)(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9}(?:\.\d{1,3})?)S)?)?$/;
const unitsMs = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000];

/** Milliseconds. `undefined` for what is no such duration. */
function parse(text: string): number | undefined {
  const parts = pattern.exec(text)?.slice(1);
  return parts?.reduce((sum, part, n) => sum + Math.round(Number(part ?? 0) * (unitsMs[n] ?? 0)), 0);
}

const rule = 'must be an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as P7D or PT5M';

/** A duration in a request as ISO 8601 has it, in milliseconds; without years and months, which have no fixed length. */
export const duration = z
  .string()
  .max(40)
  .transform((text, context) => {
    const ms = parse(text);
    if (ms !== undefined) return ms;
    context.addIssue({ code: 'custom', message: rule });
    return z.NEVER;
  })
  .meta({ override: { type: 'string', format: 'duration', maxLength: 40 } });
