/**
 * Prints by how many bytes memory has grown once a body has come in so many pieces of one byte, and how long the body was,
 * as JSON. A process of its own: the heap of one that runs tests is also what other tests do in it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { receiveBody } from '../../../src/infrastructure/http/doors/body.ts';
import { createRoom } from '../../../src/infrastructure/http/doors/room.ts';
import { listenOn, usualDoors } from '../../../src/infrastructure/http/server.ts';
import { chunkOf, headOf, openSocket } from '../http/raw-socket.ts';
import { collectGarbage } from './garbage.ts';

const pieces = Number(process.argv[2]);
const limits = { bytesMax: 1_000_000, withinMs: 300_000 };

const [allCame, read] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
const room = createRoom();
const app = async (req: IncomingMessage, res: ServerResponse) => {
  let count = 0;
  req.on('data', () => ++count === pieces && allCame.resolve());
  receiveBody(req, res, room, limits).then(({ length }) => read.resolve(length), read.reject);
};
const { origin, close } = await listenOn(app, 0, '127.0.0.1', usualDoors);
const socket = await openSocket(origin);

const held = async () => {
  await collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const before = await held();
socket.say(headOf('POST', origin, '/', { 'transfer-encoding': 'chunked' }));
socket.say(chunkOf(1).repeat(pieces));
await allCame.promise;
const grown = (await held()) - before;
socket.say('0\r\n\r\n');
process.stdout.write(JSON.stringify({ grown, read: await read.promise }));
socket.close();
await close();
