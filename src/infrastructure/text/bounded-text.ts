/** An answer of a server that is asked is read no further than this. */
const answerMaxBytes = 1024 * 1024;

/** The body as text. Throws for an answer that is too long, and for one that breaks off. */
export async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > answerMaxBytes) throw new Error(`the answer is longer than ${answerMaxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
