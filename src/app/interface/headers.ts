/** The headers of answers, as the document shows them. */
import { behindHeader } from '../../infrastructure/http/behind.ts';
import type { Operation } from '../../infrastructure/http/operation.ts';
import { otherBodyHeader, replayedHeader } from '../../infrastructure/http/serve.ts';

const text = (description: string) => ({ description, schema: { type: 'string' } }) as const;

/** By name, for the components of the document. */
export const answerHeaders = {
  'X-Request-Id': text('Identifies the request; the log has it.'),
  Warning: text('Names what the body has and the operation does not know. It was ignored.'),
  [behindHeader]: text(
    '`behind`: the answer did not wait until lists and reads show the change, or what it tells, or show again what they had shown.',
  ),
  [replayedHeader]: text('`true`: the first answer to the key.'),
  [otherBodyHeader]: text('The fields in which the body differs from the first one with the key.'),
  'WWW-Authenticate': text('The scheme of the credentials that are missing or wrong.'),
  'Retry-After': {
    description:
      'Seconds to wait before the request is sent again. Not with `DAILY_VOLUME_LIMIT_EXCEEDED`, whose `details.resetsAt` says until when.',
    schema: { type: 'integer' },
  },
} as const;

type Name = keyof typeof answerHeaders;

/** References to those that an answer with this status may have. */
export function headersOfAnswer({ method, idempotent, authentication }: Operation, status: number) {
  const changes: Name[] = method === 'get' ? [] : ['Warning'];
  const done: Name[] = status >= 300 ? [] : [behindHeader];
  const keyed: Name[] = idempotent ? [replayedHeader, otherBodyHeader] : [];
  const scheme: Name[] = status === 401 && authentication !== 'none' ? ['WWW-Authenticate'] : [];
  const later: Name[] = status === 429 || status === 503 ? ['Retry-After'] : [];
  const names: Name[] = ['X-Request-Id', ...changes, ...done, ...keyed, ...scheme, ...later];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` as const }]));
}
