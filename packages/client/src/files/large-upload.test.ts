import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Fetch } from '../request.ts';
import { sendLargeFiles } from './large-upload.ts';
import { createLimit } from './parallel.ts';

const BYTES = Uint8Array.from({ length: 25 }, (_, at) => at);
const sha256 = createHash('sha256').update(BYTES).digest('hex');
const at = { type: 'model', repo: 'ada/toy', branch: 'main' } as const;
const HUB = 'http://hub.test';

interface Sent {
  readonly path: string;
  readonly token: string | null;
  readonly body: string;
}

/** Returns a hub that responds to a batch with `answer`, and the requests that it received; `fail` may refuse one. */
function hubOf(answer: object, fail: (path: string) => Response | undefined = () => undefined) {
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, init) => {
    const path = url.replace(HUB, '');
    const token = new Headers(init.headers).get('authorization');
    const body = init.body === undefined ? '' : await new Response(init.body).text();
    sent.push({ path, token, body });
    if (path.endsWith('/batch')) return Response.json(answer);
    return fail(path) ?? Response.json({}, { headers: { etag: `"${path.at(-1)}"` } });
  };
  return { sent, hub: { hubUrl: HUB, accessToken: 'hf_mine', fetch, retry: { sleep: async () => undefined } } };
}

const href = (address: string) => `https://public.test/api/large-files/${address}`;
const inParts = {
  transfer: 'multipart',
  objects: [
    {
      ...{ oid: sha256, size: 25 },
      actions: {
        upload: {
          href: href('end'),
          header: { chunk_size: '10', '00001': href('part.1'), '00002': href('part.2'), '00003': href('part.3') },
          expires_in: 1,
        },
      },
    },
  ],
};

function sending() {
  const bytes = { sent: 0 };
  const onBytes = (more: number) => {
    bytes.sent += more;
  };
  return { bytes, options: { at, limit: createLimit(2), onBytes } };
}

test('parts go to the given hub without a token, and only a part that breaks off is sent again', async () => {
  let failures = 0;
  const { hub, sent } = hubOf(inParts, (path) => {
    if (path.endsWith('part.2') && failures++ === 0) throw new TypeError('fetch failed', { cause: {} });
    return undefined;
  });
  const { bytes, options } = sending();
  await sendLargeFiles(hub, [{ sha256, source: new Blob([BYTES]) }], options);
  const parts = sent.filter(({ path }) => path.includes('part.'));
  expect(parts.map(({ path, body }) => `${path} ${body.length}`).sort()).toEqual([
    '/api/large-files/part.1 10',
    '/api/large-files/part.2 10',
    '/api/large-files/part.2 10',
    '/api/large-files/part.3 5',
  ]);
  expect(JSON.parse(sent.at(-1)?.body ?? '')).toEqual({
    oid: sha256,
    parts: [1, 2, 3].map((partNumber) => ({ partNumber, etag: `"${partNumber}"` })),
  });
  expect(sent.map(({ token }) => token)).toEqual(['Bearer hf_mine', ...sent.slice(1).map(() => null)]);
  expect(bytes.sent).toBe(25);
});

test('a file that the repository already has is not sent', async () => {
  const { hub, sent } = hubOf({ transfer: 'basic', objects: [{ oid: sha256, size: 25 }] });
  const { bytes, options } = sending();
  await sendLargeFiles(hub, [{ sha256, source: new Blob([BYTES]) }], options);
  expect(sent.map(({ path }) => path)).toEqual(['/ada/toy.git/info/lfs/objects/batch']);
  expect(bytes.sent).toBe(25);
});

test.each([
  ['refuses a file', { objects: [{ oid: sha256, size: 25, error: { code: 422, message: 'Too large' } }] }, 'Too large'],
  [
    'names too few parts',
    {
      ...inParts,
      objects: [{ oid: sha256, size: 25, actions: { upload: { href: href('x'), header: { chunk_size: '10' } } } }],
    },
    'parts that do not make the file',
  ],
  [
    'wants the bytes sent to another host',
    { transfer: 'basic', objects: [{ oid: sha256, size: 25, actions: { upload: { href: 'http://other.test/x' } } }] },
    'elsewhere',
  ],
])('no bytes are sent if the hub %s', async (_, answer, message) => {
  const { hub, sent } = hubOf(answer);
  const { options } = sending();
  await expect(sendLargeFiles(hub, [{ sha256, source: new Blob([BYTES]) }], options)).rejects.toThrow(message);
  expect(sent).toHaveLength(1);
});
