import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type Asked, ask } from './ask.ts';
import { startHub, type TestHub } from './harness.ts';

type HeaderFields = Readonly<Record<string, string>>;
interface AnsweredRequest {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}
type Kind = [
  kind: string,
  status: number,
  caching: string | null,
  ask: (at: Place) => Promise<AnsweredRequest>,
  differs?: HeaderFields,
];

interface Place {
  readonly hub: TestHub;
  readonly anybody: Asked;
  readonly alice: Asked;
}

const EVERY: HeaderFields = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
};

const PICTURE: HeaderFields = {
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
};
const page = (start: string): HeaderFields => ({ 'content-security-policy': expect.stringContaining(start) });

const AVATAR = '/avatars/0123456789abcdef01234567.svg';
const FOREVER = 'public, max-age=31536000, immutable';

/** Returns the head of the answer to bytes that are not HTTP. */
async function nonsense({ hubUrl }: Asked): Promise<AnsweredRequest> {
  const { hostname, port } = new URL(hubUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.end('NONSENSE\r\n\r\n');
  const [start = '', ...lines] = ((await text(socket)).split('\r\n\r\n')[0] ?? '').split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  return { status: Number(start.split(' ')[1]), headers: { get: (name) => headers.get(name) ?? null } };
}

/** Asks again with the entity tag of the first answer. */
async function again(asked: Asked, path: string): Promise<Response> {
  const { headers } = await ask(asked, `GET ${path}`);
  return ask(asked, `GET ${path}`, undefined, { 'if-none-match': headers.get('etag') ?? 'none' });
}

async function stream(asked: Asked): Promise<Response> {
  const answer = await ask(asked, 'GET /api/notifications/stream');
  await answer.body?.cancel();
  return answer;
}

const KINDS: Kind[] = [
  ['JSON', 200, 'no-store', ({ alice }) => ask(alice, 'GET /api/whoami-v2')],
  ['JSON for everybody', 200, 'no-store', ({ anybody }) => ask(anybody, 'GET /api/version')],
  [
    'the head of an answer alone',
    200,
    'no-store',
    ({ anybody }) => fetch(`${anybody.hubUrl}/api/version`, { method: 'HEAD' }),
  ],
  ['no token', 401, 'no-store', ({ anybody }) => ask(anybody, 'GET /api/whoami-v2')],
  ['a bad body', 400, 'no-store', ({ alice }) => ask(alice, 'POST /api/repos/create', '{')],
  ['an unknown path', 404, 'no-store', ({ anybody }) => ask(anybody, 'GET /api/nothing')],
  ['a wrong method', 405, 'no-store', ({ anybody }) => ask(anybody, 'DELETE /health')],
  ['a malformed URL', 400, 'no-store', ({ anybody }) => fetch(`${anybody.hubUrl}/api/users/%zz/overview`)],
  ['bytes that are not HTTP', 400, 'no-store', ({ anybody }) => nonsense(anybody)],
  [
    'a preflight request',
    204,
    'no-store',
    ({ anybody }) =>
      fetch(`${anybody.hubUrl}/api/version`, {
        method: 'OPTIONS',
        headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' },
      }),
  ],
  ['JSON with an entity tag', 200, 'private, no-cache', ({ alice }) => ask(alice, 'GET /api/notifications')],
  ['JSON that the caller has', 304, 'private, no-cache', ({ alice }) => again(alice, '/api/notifications')],
  ['a stream', 200, 'no-store', ({ alice }) => stream(alice)],
  ['a generated picture', 200, FOREVER, ({ anybody }) => ask(anybody, `GET ${AVATAR}`), PICTURE],
  [
    'a picture that the caller has',
    304,
    FOREVER,
    ({ anybody }) => again(anybody, AVATAR),
    { ...EVERY, ...PICTURE, 'content-security-policy': EVERY['content-security-policy'] ?? '' },
  ],
  [
    'a redirect to a picture',
    302,
    'public, max-age=300',
    ({ anybody }) => ask(anybody, 'GET /api/users/alice/avatar?redirect=1'),
    { 'cross-origin-resource-policy': 'cross-origin' },
  ],
  ['where a picture is', 200, 'private, no-cache', ({ alice }) => ask(alice, 'GET /api/users/alice/avatar')],
  ['SCIM', 200, 'no-store', ({ alice }) => ask(alice, 'GET /api/organizations/acme/scim/v2/Users')],
  ['an error of SCIM', 404, 'no-store', ({ alice }) => ask(alice, 'GET /api/organizations/acme/scim/v2/Users/x')],
  ['figures', 200, 'no-store', ({ hub }) => ask(hub.admin, 'GET /metrics')],
  ['health', 200, 'no-store', ({ anybody }) => ask(anybody, 'GET /health')],
  ['the OpenAPI document', 200, 'no-cache', ({ anybody }) => ask(anybody, 'GET /.well-known/openapi.json')],
  ['the reference', 200, 'no-cache', ({ anybody }) => ask(anybody, 'GET /docs'), page("script-src 'self'")],
  ['the console', 200, 'no-cache', ({ anybody }) => ask(anybody, 'GET /inbox'), page("style-src 'self' 'nonce-")],
  [
    'a file of the console',
    200,
    FOREVER,
    async ({ anybody }) => {
      const html = await (await ask(anybody, 'GET /')).text();
      return ask(anybody, `GET ${/\/assets\/[\w.-]+\.js/.exec(html)?.[0] ?? '/assets/none'}`);
    },
    page("script-src 'self'"),
  ],
  ['a page for readers of mails', 404, 'no-store', ({ anybody }) => ask(anybody, 'GET /unsubscribe/nonsense')],
];

async function furnish(settings: Record<string, string>): Promise<Place & { hub: TestHub }> {
  const hub = await startHub(settings);
  await hub.people('alice');
  await hub.apply({ organizations: [{ name: 'acme', plan: 'plus', members: [{ user: 'alice', role: 'admin' }] }] });
  return { hub, anybody: { hubUrl: hub.url }, alice: hub.as('alice') };
}

test('every kind of response has its security headers: no sniffing, no framing, no caching, and who may embed it', async () => {
  const fixture = await furnish({ MOONBASE_PUBLIC_URL: 'http://hub.example' });
  await using _hub = fixture.hub;
  for (const [kind, status, caching, request, differs] of KINDS) {
    const answer = await request(fixture);
    const expected = { ...EVERY, ...differs };
    const found = Object.fromEntries(Object.keys(expected).map((name) => [name, answer.headers.get(name)]));
    expect({ kind, status: answer.status, caching: answer.headers.get('cache-control'), ...found }).toEqual({
      ...{ kind, status, caching },
      ...expected,
    });
    // Refusals of the parser are not responses to a page.
    if (kind !== 'bytes that are not HTTP')
      expect([kind, answer.headers.get('access-control-allow-origin')]).toEqual([kind, '*']);
    expect([kind, answer.headers.get('strict-transport-security')]).toEqual([kind, null]);
  }
});

test.each([
  ['https://hub.example', 'max-age=31536000'],
  ['http://hub.example', null],
])('at %s browsers are told to use TLS: %s', async (MOONBASE_PUBLIC_URL, hsts) => {
  const fixture = await furnish({ MOONBASE_PUBLIC_URL });
  await using _hub = fixture.hub;
  for (const [kind, status, , request] of KINDS) {
    const answer = await request(fixture);
    expect([kind, answer.status, answer.headers.get('strict-transport-security')]).toEqual([kind, status, hsts]);
  }
});
