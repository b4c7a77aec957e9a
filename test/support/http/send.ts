import { stringify } from '../../../src/kernel/json.ts';
import type { TestService } from '../processes/service.ts';
import { type Answer, basic } from './client.ts';

type Content = RequestInit['body'];
type Sent = {
  readonly body?: unknown;
  /** Goes out as it is, in place of `body`. */
  readonly text?: Content;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Sends any method with the service's credentials. */
export function send(
  { client, credentials }: Pick<TestService, 'client' | 'credentials'>,
  method: string,
  path: string,
  { body, text, headers = {} }: Sent = {},
): Promise<Answer> {
  const content: Content = text ?? (body === undefined ? null : stringify(body));
  const type = content === null ? {} : { 'content-type': 'application/json' };
  return client.raw(path, {
    method,
    headers: { authorization: basic(credentials), ...type, ...headers },
    ...(content !== null && content !== undefined && { body: content }),
  });
}
