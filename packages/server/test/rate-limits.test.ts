import { whoAmI } from '@moonbase/client/profiles';
import { getVersion } from '@moonbase/client/service';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { createHub } from '../src/hub.ts';
import { type Asked, ask } from './ask.ts';
import { MINUTE, SECOND } from './clock.ts';
import { startHub, type TestHub } from './harness.ts';
import { engine } from './test-database.ts';

const WINDOW = 5 * MINUTE;

/** Returns the limits that an answer states. */
const told = ({ status, headers }: Response) => ({
  status,
  limit: headers.get('ratelimit'),
  policy: headers.get('ratelimit-policy'),
  retryAfter: headers.get('retry-after'),
});

/** Asks until the hub refuses, at most `most` times; returns the number of accepted requests. */
async function spend(asked: Asked, most: number, path = '/api/whoami-v2', atOnce = 1): Promise<number> {
  let admitted = 0;
  for (let sent = 0; sent < most; sent += atOnce) {
    const answers = await Promise.all(Array.from({ length: atOnce }, () => ask(asked, `GET ${path}`)));
    for (const { status } of answers) expect([200, 401, 429]).toContain(status);
    admitted += answers.filter(({ status }) => status !== 429).length;
    if (answers.some(({ status }) => status === 429)) break;
  }
  return admitted;
}

/** Starts another hub on the same database, if the engine allows it, with connections and memory of its own. */
async function replicaOf(hub: TestHub, settings: Record<string, string>): Promise<Asked & AsyncDisposable> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(hub.database.read);
  const url = new URL(`/${rows[0]?.name}`, process.env.MOONBASE_TEST_POSTGRES_URL);
  const config = readConfig({
    MOONBASE_PORT: '0',
    MOONBASE_LOG_LEVEL: 'error',
    MOONBASE_DATABASE_URL: url.href,
    MOONBASE_SECRET_KEY: 'a key for tests, long enough to be taken',
    ...settings,
  });
  const replica = await createHub(config, { background: false, clock: hub.clock });
  const hubUrl = await replica.start();
  return { hubUrl, [Symbol.asyncDispose]: () => replica.stop() };
}

describe('a hub that limits rates', () => {
  test('reports the remaining quota with each response, and refuses requests above it until the window ends', async () => {
    await using hub = await startHub({
      MOONBASE_RATE_LIMITS: 'anonymous=3,free=5',
      MOONBASE_PUBLIC_URL: 'https://hub.example',
    });
    await hub.people('alice');
    hub.clock.advance(20 * SECOND);
    const alice = hub.as('alice');
    const policy = '"fixed window";"api";q=5;w=300';
    for (const left of [4, 3, 2, 1, 0])
      expect(told(await ask(alice, 'GET /api/whoami-v2'))).toEqual({
        ...{ status: 200, limit: `"api";r=${left};t=280`, policy, retryAfter: null },
      });
    const refused = await ask(alice, 'GET /api/whoami-v2');
    expect(told(refused)).toEqual({ status: 429, limit: '"api";r=0;t=280', policy, retryAfter: '280' });
    const error = 'Too many requests: the limit of "api" is 5 in 300 seconds; try again in 280 s';
    expect(await refused.json()).toEqual({ error });
    expect(refused.headers.get('x-error-message')).toBe(error);
    expect(refused.headers.get('access-control-expose-headers')).toContain('RateLimit');
    hub.clock.advance(279_999);
    expect(told(await ask(alice, 'GET /api/whoami-v2'))).toMatchObject({ status: 429, retryAfter: '1' });
    hub.clock.advance(1);
    expect(told(await ask(alice, 'GET /api/whoami-v2'))).toMatchObject({ status: 200, limit: '"api";r=4;t=300' });
  });

  test('counts a user over all tokens, users separately, and unknown callers by address', async () => {
    await using hub = await startHub({ MOONBASE_RATE_LIMITS: 'anonymous=3,free=5' });
    await hub.people('alice', 'bob');
    const tokens = [{ name: 'other', role: 'read' as const, token: 'hf_anotherOfAlice00' }];
    await hub.apply({ users: [{ name: 'alice', tokens }] });
    expect(await spend(hub.as('alice'), 3)).toBe(3);
    expect(await spend(hub.with('hf_anotherOfAlice00'), 9)).toBe(2);
    expect(await spend(hub.as('bob'), 9)).toBe(5);
    // An unknown token counts like none: by address.
    expect(await spend(hub.with('hf_nobodyHasThis'), 2)).toBe(2);
    expect(await spend({ hubUrl: hub.url }, 9)).toBe(1);
    expect((await ask({ hubUrl: hub.url }, 'GET /api/nothing/there')).status).toBe(429);
  });

  test('uses the plan of the user, or the best plan of the organizations', async () => {
    await using hub = await startHub({ MOONBASE_RATE_LIMITS: 'public' });
    await hub.people('ada', 'bob', 'cleo', 'dan');
    await hub.apply({
      users: [{ name: 'bob', pro: true }],
      organizations: [
        { name: 'small', plan: 'team', members: [{ user: 'cleo', role: 'read' }] },
        { name: 'large', plan: 'plus', members: [{ user: 'dan', role: 'read' }] },
        { name: 'other', members: [{ user: 'dan', role: 'read' }] },
      ],
    });
    const quotaOf = async (asked: Asked) => (await ask(asked, 'GET /api/version')).headers.get('ratelimit-policy');
    const policy = (quota: number) => `"fixed window";"api";q=${quota};w=300`;
    expect(await Promise.all(['ada', 'bob', 'cleo', 'dan'].map((name) => quotaOf(hub.as(name))))).toEqual(
      [1000, 2500, 3000, 10_000].map(policy),
    );
    expect(await quotaOf({ hubUrl: hub.url })).toBe(policy(500));
  });

  test.each([
    ['/api/version', '"api"'],
    ['/.well-known/openapi.json', '"api"'],
    ['/api/%E0%A4/overview', null],
    ['/nothing/of/it', '"api"'],
    ['/docs', '"pages"'],
    ['/avatars/0123456789abcdef01234567.svg', '"resolvers"'],
    ['/alice/letters/resolve/main/a.txt', '"resolvers"'],
    ['/datasets/alice/letters/raw/main/a.txt', '"resolvers"'],
    ['/alice/letters/info/refs?service=git-upload-pack', '"resolvers"'],
    ['/alice/letters.git/info/lfs/locks', '"resolvers"'],
    ['/api/large-files/x.y', '"resolvers"'],
    ['/api/models/alice/letters/resolve', '"api"'],
    ['/unsubscribe/nonsense', '"pages"'],
    ['/health', null],
    ['/ready', null],
    ['/metrics', null],
  ])('counts %s for %s', async (path, bucket) => {
    await using hub = await startHub({ MOONBASE_RATE_LIMITS: '7' });
    const { headers } = await ask({ hubUrl: hub.url }, `GET ${path}`);
    expect(headers.get('ratelimit')?.split(';')[0] ?? null).toBe(bucket);
  });

  test('does not count preflight requests and health checks', async () => {
    await using hub = await startHub({ MOONBASE_RATE_LIMITS: '2', MOONBASE_PUBLIC_URL: 'https://hub.example' });
    const anybody = { hubUrl: hub.url };
    const preflight = () =>
      fetch(`${hub.url}/api/version`, {
        method: 'OPTIONS',
        headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' },
      });
    for (let times = 0; times < 4; times++) {
      expect((await preflight()).status).toBe(204);
      expect((await ask(anybody, 'GET /health')).status).toBe(200);
    }
    expect(await spend(anybody, 9, '/api/version')).toBe(2);
    expect((await ask(anybody, 'GET /ready')).status).toBe(200);
    expect((await ask(hub.admin, 'GET /metrics')).status).toBe(200);
  });

  test('refuses before it reads a body, and changes nothing', async () => {
    await using hub = await startHub({ MOONBASE_RATE_LIMITS: 'anonymous=9,free=1' });
    await hub.people('alice');
    expect(await spend(hub.as('alice'), 1)).toBe(1);
    expect((await ask(hub.as('alice'), 'POST /api/repos/create', '{')).status).toBe(429);
    expect((await ask(hub.as('alice'), 'POST /api/repos/create', { name: 'letters' })).status).toBe(429);
    expect(await hub.database.read.selectFrom('repositories').select('id').execute()).toEqual([]);
  });

  test('answers SCIM requests in the form of SCIM', async () => {
    await using hub = await startHub({ MOONBASE_RATE_LIMITS: '1' });
    await hub.people('alice');
    await spend(hub.as('alice'), 1);
    const refused = await ask(hub.as('alice'), 'GET /api/organizations/acme/scim/v2/Users');
    expect(told(refused)).toMatchObject({ status: 429, limit: '"api";r=0;t=300', retryAfter: '300' });
    expect(refused.headers.get('content-type')).toContain('application/scim+json');
    expect(await refused.json()).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '429',
    });
  });

  test('takes the address from trusted proxies, and counts an IPv6 network as one address', async () => {
    await using hub = await startHub({ MOONBASE_RATE_LIMITS: '2', MOONBASE_TRUSTED_PROXIES: '127.0.0.1' });
    const from = async (address: string) =>
      (await ask({ hubUrl: hub.url }, 'GET /api/version', undefined, { 'x-forwarded-for': address })).status;
    expect([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.1')]).toEqual([200, 200, 429]);
    expect(await from('192.0.2.2')).toBe(200);
    // Addresses that a caller writes before the proxy's own do not count.
    expect(await from('198.51.100.9, 192.0.2.1')).toBe(429);
    const household = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:db8:1:2::3', '2001:db8:1:3::1'];
    expect([await from(household[0] ?? ''), await from(household[1] ?? '')]).toEqual([200, 200]);
    expect([await from(household[2] ?? ''), await from(household[3] ?? '')]).toEqual([429, 200]);
  });

  test('admits exactly the quota of requests at the same time', async () => {
    await using hub = await startHub({ MOONBASE_RATE_LIMITS: 'anonymous=9,free=130' });
    await hub.people('alice');
    expect(await spend(hub.as('alice'), 200, '/api/version', 20)).toBe(130);
  });

  test('without limits sends no headers and refuses nothing', async () => {
    for (const settings of [{}, { MOONBASE_RATE_LIMITS: 'off' }]) {
      await using hub = await startHub(settings);
      const answer = await ask({ hubUrl: hub.url }, 'GET /api/version');
      expect(told(answer)).toEqual({ status: 200, limit: null, policy: null, retryAfter: null });
    }
  });
});

describe.runIf(engine === 'postgres')('two hubs on one database', () => {
  const settings = { MOONBASE_RATE_LIMITS: 'anonymous=9,free=173' };

  test.each([1, 8])('admit exactly one quota together, with %d requests at a time in turns', async (atOnce) => {
    await using hub = await startHub(settings);
    await using replica = await replicaOf(hub, settings);
    await hub.people('alice');
    const { accessToken } = hub.as('alice');
    const both = [
      { hubUrl: hub.url, accessToken },
      { hubUrl: replica.hubUrl, accessToken },
    ];
    let admitted = 0;
    for (let round = 0, refused = 0; round < 300 && refused < 2; round++) {
      const answers = await Promise.all(
        both.flatMap((asked) => Array.from({ length: atOnce }, () => ask(asked, 'GET /api/version'))),
      );
      const good = answers.filter(({ status }) => status === 200).length;
      admitted += good;
      refused = good === 0 ? refused + 1 : 0;
    }
    expect(admitted).toBe(173);
    hub.clock.advance(WINDOW);
    expect((await ask(both[1] as Asked, 'GET /api/version')).status).toBe(200);
  });

  test('query the database rarely, and delete past windows', async () => {
    await using hub = await startHub({ MOONBASE_RATE_LIMITS: 'anonymous=9,free=1000' });
    await hub.people('alice');
    const rows = () => hub.database.read.selectFrom('rate_windows').selectAll().execute();
    await getVersion(hub.as('alice'));
    expect((await rows()).filter(({ subject }) => subject.startsWith('api user')).length).toBeGreaterThan(0);
    hub.clock.advance(3 * WINDOW);
    await hub.drain();
    expect(await rows()).toEqual([]);
    await whoAmI(hub.as('alice'));
    expect(await rows()).toHaveLength(1);
  });
});
