import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** IPv4 addresses; none for a name that nobody knows; `silent` where no answer comes. */
type Said = readonly string[] | 'silent';

const headBytes = 12;
const typeA = 1;
const answered = 0x8180;
const nobodyKnows = 0x8183;

/** A name server on this machine, until the test ends. */
export async function startNameServer(
  says: (name: string) => Said,
): Promise<{ readonly address: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionIn(query);
    asked.push(name);
    const said = says(name);
    if (said !== 'silent') socket.send(answerTo(query, end, type, said), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

function questionIn(query: Buffer) {
  const labels: string[] = [];
  let at = headBytes;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(query: Buffer, end: number, type: number, said: readonly string[]): Buffer {
  const addresses = type === typeA ? said : [];
  const head = Buffer.from(query.subarray(0, headBytes));
  const counts = [said.length > 0 ? answered : nobodyKnows, 1, addresses.length, 0, 0];
  for (const [n, count] of counts.entries()) head.writeUInt16BE(count, 2 + 2 * n);
  // The name of the question, type, class, a time to live of a second, and four bytes.
  const about = [0xc0, headBytes, 0, typeA, 0, 1, 0, 0, 0, 1, 0, 4];
  const records = addresses.map((address) => Buffer.from([...about, ...address.split('.').map(Number)]));
  return Buffer.concat([head, query.subarray(headBytes, end), ...records]);
}
