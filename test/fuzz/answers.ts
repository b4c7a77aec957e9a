/** What is wrong with an answer, held against the OpenAPI document as a client would read it. */
import { misfitOf } from '../support/interface/against-document.ts';
import { type DocumentedOperation, resolved } from '../support/interface/interface.ts';

const bytesMax = 1024 * 1024;

/** What the inside of the service looks like. */
const inside =
  /node_modules|\/src\/|\.ts:\d+|\n\s+at \S+|<!doctype|<html|(select|insert into|update) .* daybook/i;

export type FuzzAnswer = { readonly status: number; readonly type: string | null; readonly text: string };

type Asked = { readonly operation: DocumentedOperation };

/** Empty when nothing is wrong. */
export function faultsOf({ operation }: Asked, { status, type, text }: FuzzAnswer): string[] {
  const declared = operation.responses[status];
  if (!declared) return [`answers ${status}, which is not declared`];
  const faults: string[] = [];
  if (status >= 500 && status !== 501 && status !== 503) faults.push(`answers ${status}`);
  if (text.length > bytesMax) faults.push(`answers ${text.length} bytes`);
  if (inside.test(text)) faults.push('shows what is inside the service');
  const content = resolved(declared).content?.['application/json'];
  if (!content)
    return text === '' ? faults : [...faults, `answers ${status} with a body, which is not declared`];
  if (!type?.startsWith('application/json')) return [...faults, `answers ${type}`];
  return [...faults, ...faultsOfBody(status, declared, JSON.parse(text))];
}

function faultsOfBody(
  status: number,
  declared: { readonly description: string; readonly content: Readonly<Record<string, { schema: object }>> },
  body: { readonly code?: string },
): string[] {
  const misfit = misfitOf(declared.content['application/json']?.schema ?? {}, body);
  const faults = misfit === undefined ? [] : [`answers ${status}: ${misfit}`];
  const isKnown = status < 400 || declared.description.split(', ').includes(body.code ?? '');
  return isKnown ? faults : [...faults, `answers ${status} ${body.code}, which is not declared`];
}
