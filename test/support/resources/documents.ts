/** Files and forms, as a platform would upload them. */

import { type Answer, basic, type Client, type Json } from '../http/client.ts';
import type { TestService } from '../processes/service.ts';
import { expectStatus } from './flows.ts';

export const heads = {
  'application/pdf': Buffer.from('%PDF-1.7\n'),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
} as const;
export type FileType = keyof typeof heads;

/** A file that begins like one of its type, and has this many bytes. */
export const fileOf = (type: FileType, size = 1_000): Buffer<ArrayBuffer> =>
  Buffer.concat([heads[type], Buffer.alloc(Math.max(0, size - heads[type].length), 'x')], size);

type File_ = { readonly bytes?: Uint8Array<ArrayBuffer>; readonly type?: string; readonly name?: string };

export function formOf(fields: Readonly<Record<string, string>>, file: File_ | null = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const { bytes = fileOf('image/png'), type = 'image/png', name = 'passport.png' } = file ?? {};
  if (file) form.append('file', new Blob([bytes], { type }), name);
  return form;
}

export const fieldsOf = (documentHolder: string, overrides: object = {}) => ({
  documentHolder,
  documentType: 'PASSPORT',
  country: 'GB',
  side: 'FRONT',
  ...overrides,
});

export const uploadDocument = async (client: Client, holder: string, overrides: object = {}): Promise<Json> =>
  expectStatus(await client.form('POST', '/documents', formOf(fieldsOf(holder, overrides))), 201);

const boundary = 'x-boundary-x';
export const multipartType = `multipart/form-data; boundary=${boundary}`;

/** A body as it stands, for what no form can make; `end` is the last boundary. */
export const bodyOf = (parts: readonly string[], end = `--${boundary}--\r\n`): string =>
  parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('') + end;

export const part = (name: string, value: string, extra = ''): string =>
  `Content-Disposition: form-data; name="${name}"${extra}\r\n\r\n${value}`;

export const filePart = (content: string, fileName = 'a.pdf', name = 'file'): string =>
  `Content-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: application/pdf\r\n\r\n${content}`;

/** Fields and a file as they are sent, for who sends them without a browser's own form. */
export const fileForm = (fields: Readonly<Record<string, string>>, content: string, fileName: string) => {
  const parts = Object.entries(fields).map(([field, value]) => part(field, value));
  return { type: multipartType, text: bodyOf([...parts, filePart(content, fileName)]) };
};

export const postBody = (
  { client, credentials }: TestService,
  body: string,
  type = multipartType,
): Promise<Answer> =>
  client.raw('/documents', {
    method: 'POST',
    headers: { authorization: basic(credentials), 'content-type': type },
    body: Buffer.from(body),
  });
