import { expect, test } from 'vitest';
import { eventsIn } from './event-stream.ts';

async function read(...parts: string[]) {
  const bytes = new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
  const events = [];
  for await (const { event, data } of eventsIn(new Response(bytes))) events.push(`${event}: ${data}`);
  return events;
}

test.each([
  ['one event', ['event: count\ndata: {"all":1}\n\n'], ['count: {"all":1}']],
  ['an event without a name', ['data: a\n\n'], ['message: a']],
  ['data of several lines', ['data: a\ndata: b\n\n'], ['message: a\nb']],
  ['lines with any line ending', ['event: a\r\ndata: 1\r\n\r\nevent: b\rdata: 2\n\n'], ['a: 1', 'b: 2']],
  ['chunks cut anywhere', ['eve', 'nt: a\nda', 'ta: 1\n', '\n'], ['a: 1']],
  ['past comments and unknown fields', [':\n\n', ': x\nid: 3\nretry: 5\n\ndata:1\n\n'], ['message: 1']],
  ['a name for one event only', ['event: a\n\ndata: 1\n\n'], ['message: 1']],
  ['colons in data', ['data: a: b\n\n'], ['message: a: b']],
  ['no event that is unfinished', ['data: 1\n\ndata: 2\n'], ['message: 1']],
  ['nothing from an empty stream', [], []],
])('the reader reads %s', async (_, parts, events) => {
  expect(await read(...parts)).toEqual(events);
});

test('a reader that stops early closes the connection', async () => {
  let cancelled = false;
  const bytes = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
    cancel() {
      cancelled = true;
    },
  });
  for await (const { data } of eventsIn(new Response(bytes))) {
    expect(data).toBe('1');
    break;
  }
  expect(cancelled).toBe(true);
});
