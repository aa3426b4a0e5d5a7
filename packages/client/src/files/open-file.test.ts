import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../request.ts';
import { readFile } from './open-file.ts';

const TEXT = 'the bytes of a file';
const id = createHash('sha1').update(`blob ${TEXT.length}\0${TEXT}`).digest('hex');
const COMMIT = 'c'.repeat(40);

/** Returns a hub that gives these responses one after the other, and the requested ranges and URLs. */
function hubOf(...answers: (() => Response | Promise<Response>)[]) {
  const ranges: (string | null)[] = [];
  const urls: string[] = [];
  const fetch: Fetch = async (url, init) => {
    urls.push(url);
    ranges.push(new Headers(init.headers).get('range'));
    const answer = answers.shift();
    if (!answer) throw new Error('More was asked than is told');
    return answer();
  };
  const hub = { hubUrl: 'http://hub.test', fetch, retry: { sleep: async () => undefined } };
  return { hub, ranges, urls };
}

const whole = (text = TEXT) => new Response(text);
const from = (at: number, text = TEXT.slice(at)) =>
  new Response(text, { status: 206, headers: { 'content-range': `bytes ${at}-${TEXT.length - 1}/${TEXT.length}` } });

/** Returns a response that breaks off after some bytes. */
const broken = (response: Response, length: number) => () => {
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (sent) return controller.error(new TypeError('terminated', { cause: {} }));
      sent = true;
      controller.enqueue(new Uint8Array(await response.arrayBuffer()).subarray(0, length));
    },
  });
  return new Response(body, response);
};

const file = { type: 'model', repo: 'ada/toy', path: 'a/b c.txt', revision: COMMIT } as const;
const known = { id, size: TEXT.length };

describe('a file', () => {
  test('is read from the commit in which it was listed', async () => {
    const { hub, urls, ranges } = hubOf(() => whole());
    expect(await (await readFile({ ...hub, ...file, known })).text()).toBe(TEXT);
    expect(urls).toEqual([`http://hub.test/ada/toy/resolve/${COMMIT}%2Fa%2Fb%20c.txt`]);
    expect(ranges).toEqual([null]);
  });

  test('is resumed where the connection broke', async () => {
    const { hub, ranges } = hubOf(broken(whole(), 4), broken(from(4), 5), () => from(9));
    expect(await (await readFile({ ...hub, ...file, known })).text()).toBe(TEXT);
    expect(ranges).toEqual([null, 'bytes=4-', 'bytes=9-']);
  });

  test('is read from the end of what the caller already has', async () => {
    const { hub, ranges } = hubOf(() => from(7));
    const begun = new Blob([TEXT.slice(0, 7)]);
    expect(await (await readFile({ ...hub, ...file, known, begun })).text()).toBe(TEXT.slice(7));
    expect(ranges).toEqual(['bytes=7-']);
  });

  test('is not requested if the caller already has all of it', async () => {
    const { hub, urls } = hubOf();
    expect(await (await readFile({ ...hub, ...file, known, begun: new Blob([TEXT]) })).text()).toBe('');
    expect(urls).toEqual([]);
  });

  test('is read correctly if the hub sends all of it instead of the rest', async () => {
    const { hub } = hubOf(broken(whole(), 4), () => whole());
    expect(await (await readFile({ ...hub, ...file, known })).text()).toBe(TEXT);
  });

  test('is given up after three connections that break without a byte', async () => {
    const { hub, urls } = hubOf(...Array.from({ length: 5 }, () => broken(whole(), 0)));
    await expect(readFile({ ...hub, ...file, known })).rejects.toThrow('terminated');
    expect(urls).toHaveLength(3);
  });

  test.each([
    ['other bytes', [() => whole(TEXT.replace('f', 'F'))]],
    ['more bytes than the file has', [() => whole(`${TEXT}!`)]],
    ['another range than the requested one', [broken(whole(), 4), () => from(9)]],
  ] as const)('is refused if the hub sends %s', async (_, answers) => {
    const { hub } = hubOf(...answers);
    await expect(readFile({ ...hub, ...file, known })).rejects.toMatchObject({ name: 'DamagedFileError' });
  });

  test('is refused if what the caller already has is not its beginning', async () => {
    const { hub } = hubOf(() => from(3));
    const begun = new Blob(['THE']);
    await expect(readFile({ ...hub, ...file, known, begun })).rejects.toMatchObject({ name: 'DamagedFileError' });
  });

  test('is refused if its id is not a hash', async () => {
    const { hub } = hubOf(() => whole());
    const reading = readFile({ ...hub, ...file, known: { id: 'whatever', size: TEXT.length } });
    await expect(reading).rejects.toMatchObject({ name: 'DamagedFileError' });
  });

  test('is given up with the reason of the abort signal', async () => {
    const stop = new AbortController();
    const { hub } = hubOf(() => {
      stop.abort(new Error('enough'));
      throw stop.signal.reason;
    });
    await expect(readFile({ ...hub, ...file, known, signal: stop.signal })).rejects.toThrow('enough');
  });
});
