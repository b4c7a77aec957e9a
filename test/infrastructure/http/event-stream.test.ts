import { expect, it, onTestFinished } from 'vitest';
import { type EventStream, sendEvents } from '../../../src/infrastructure/http/event-stream.ts';
import { listenOn } from '../../../src/infrastructure/http/server.ts';

async function answerWith(stream: EventStream): Promise<Response> {
  const server = await listenOn(
    (_req, res) => {
      try {
        sendEvents(res as never, stream, async () => true);
      } catch (error) {
        res.writeHead(429).end(error instanceof Error ? error.message : '');
      }
    },
    0,
    '127.0.0.1',
  );
  onTestFinished(server.close);
  return fetch(server.origin);
}

it('a stream that does not begin is refused, before there is an answer', async () => {
  const answer = await answerWith({
    maxMs: 300_000,
    open() {
      throw new Error('one too many');
    },
  });
  expect([answer.status, await answer.text()]).toEqual([429, 'one too many']);
  expect(answer.headers.get('content-type')).toBeNull();
});

it('what a stream sends as it begins comes behind its head', async () => {
  const answer = await answerWith({
    maxMs: 300_000,
    open({ send }, end) {
      send({ id: '1', event: 'told', data: '{}' }).then(end, end);
      return () => undefined;
    },
  });
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(await answer.text()).toBe(': begun\n\nid: 1\nevent: told\ndata: {}\n\n');
});
