import { createWebhook, deleteWebhook, listWebhooks, type Webhook, type WebhookInput } from '@moonbase/client/webhooks';
import { ErrorBody } from '@moonbase/contract/errors';
import { Flavor, type JobInput } from '@moonbase/contract/jobs/specification';
import { WATCHED_TYPES, type WatchedInput } from '@moonbase/contract/webhooks/webhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { type Connection, startHub, type TestHub } from './harness.ts';

/** Every refused body contains this secret, as the webhook secret and as a secret of the job. */
const HUSH = 'correct-horse-battery-staple';

const WATCHED = { type: 'user', name: 'alice' } as const;
const TO_URL = { watched: [WATCHED], domains: ['repo' as const], url: 'https://example.com/hook' };
const { url: _url, ...NO_TARGET } = TO_URL;
const JOB = { flavor: 'cpu-basic', dockerImage: 'python:3.12' } as const;
const VOLUME = { type: 'dataset', source: 'alice/letters', mountPath: '/data' } as const;

type AnyObject = Readonly<Record<string, unknown>>;

const changed = (change: AnyObject): AnyObject => ({ ...TO_URL, ...change });
const withJob = (change: AnyObject): AnyObject => ({ ...NO_TARGET, job: { ...JOB, ...change } });
const withVolume = (change: AnyObject): AnyObject => withJob({ volumes: [{ ...VOLUME, ...change }] });
const without = (body: AnyObject, ...keys: string[]): AnyObject =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)));

const url = (change: Partial<WebhookInput>): WebhookInput => ({ ...TO_URL, ...change });
const job = (change: Partial<JobInput>): WebhookInput => ({ ...NO_TARGET, job: { ...JOB, ...change } });
const answersJob = (fields: AnyObject) => ({ job: fields });

const PRINTABLE = Array.from({ length: 0x7f - 0x20 + 1 }, (_, at) => String.fromCharCode(0x20 + at)).join('');
const LARGEST = Number.MAX_SAFE_INTEGER;

/** Returns a valid name of this type. */
const nameOf = (type: WatchedInput['type']) => (type === 'user' || type === 'org' ? 'nobody' : 'nobody/nothing');

/** Accepted bodies: a description, the body, and the fields that the created webhook must show. */
const ACCEPTED: [what: string, body: WebhookInput, shown?: AnyObject][] = [
  ['one watched item', url({ watched: [WATCHED] })],
  ['two watched items', url({ watched: [WATCHED, { type: 'org', name: 'acme' }] })],
  ...WATCHED_TYPES.map((type): (typeof ACCEPTED)[number] => [
    `a watched ${type}`,
    url({ watched: [{ type, name: nameOf(type) }] }),
    { watched: [{ type, name: nameOf(type) }] },
  ]),
  ['the domain repo', url({ domains: ['repo'] }), { domains: ['repo'] }],
  ['the domain discussion', url({ domains: ['discussion'] }), { domains: ['discussion'] }],
  ['both domains', url({ domains: ['discussion', 'repo'] }), { domains: ['discussion', 'repo'] }],
  ['a domain twice, as once', url({ domains: ['repo', 'repo'] }), { domains: ['repo'] }],
  ['an https URL', url({ url: 'https://example.com/hook?key=1#top' }), { url: 'https://example.com/hook?key=1#top' }],
  ['an http URL', url({ url: 'http://example.com:8080' }), { url: 'http://example.com:8080' }],
  ['the URL of an address', url({ url: 'http://[2001:db8::1]:8080/hook' })],
  [
    'a URL with blanks around and a line break within, without these',
    url({ url: ' https://example.com/\nhook ' }),
    { url: 'https://example.com/hook' },
  ],
  ['no secret', url({}), { hasSecret: false }],
  ['every printable character in a secret, 0x20 to 0x7F', url({ secret: PRINTABLE }), { hasSecret: true }],
  ['an empty secret, as none', url({ secret: '' }), { hasSecret: false }],
  [
    'a job with nothing but flavor and image',
    job({}),
    answersJob({ flavor: 'cpu-basic', dockerImage: 'python:3.12', environment: {}, timeoutSeconds: null }),
  ],
  [
    'a job in the image of a Space',
    { ...NO_TARGET, job: { flavor: 'cpu-basic', spaceId: 'alice/space' } },
    answersJob({ spaceId: 'alice/space' }),
  ],
  ...Flavor.options.map((flavor): (typeof ACCEPTED)[number] => [
    `the flavor ${flavor}`,
    job({ flavor }),
    answersJob({ flavor }),
  ]),
  ['arguments', job({ arguments: ['-v', ''] }), answersJob({ arguments: ['-v', ''] })],
  ['no arguments', job({ arguments: [] }), answersJob({ arguments: [] })],
  ['a command of one part', job({ command: ['x'] }), answersJob({ command: ['x'] })],
  [
    'names in the environment of two characters and more',
    job({ environment: { a1: '', B_: 'x', camelCase_9: 'y' } }),
    answersJob({ environment: { a1: '', B_: 'x', camelCase_9: 'y' } }),
  ],
  [
    'names of secrets of one character and more',
    job({ secrets: { a: HUSH, B_2: HUSH } }),
    answersJob({ secrets: ['a', 'B_2'] }),
  ],
  ['the arch amd64', job({ arch: 'amd64' })],
  ['the arch arm64', job({ arch: 'arm64' })],
  ['no limit of time', job({ timeoutSeconds: null }), answersJob({ timeoutSeconds: null })],
  ['a second', job({ timeoutSeconds: 1 }), answersJob({ timeoutSeconds: 1 })],
  ['the longest time', job({ timeoutSeconds: LARGEST }), answersJob({ timeoutSeconds: LARGEST })],
  ['one attempt', job({ attempts: 1 })],
  ['a thousand attempts', job({ attempts: 1000 })],
  [
    'labels of 1 to 100 characters with values of 0 to 100',
    job({ labels: { a: '', ['k'.repeat(100)]: 'v'.repeat(100), 'A.b-c_9': 'Z.y-x_0' } }),
    answersJob({ labels: { a: '', ['k'.repeat(100)]: 'v'.repeat(100), 'A.b-c_9': 'Z.y-x_0' } }),
  ],
  ['a volume with its three fields', job({ volumes: [VOLUME] })],
  ...(['bucket', 'model', 'dataset', 'space'] as const).map((type): (typeof ACCEPTED)[number] => [
    `a volume of type ${type}`,
    job({ volumes: [{ ...VOLUME, type }] }),
  ]),
  ['a volume with all fields', job({ volumes: [{ ...VOLUME, revision: 'v1', readOnly: true, path: 'in/it' }] })],
  ['a volume at the root', job({ volumes: [{ ...VOLUME, mountPath: '/' }] })],
];

/** Names that nothing can have. */
const IMPOSSIBLE = {
  account: [
    '',
    'a',
    'alice/letters',
    'al ice',
    '-alice',
    'a--b',
    '12345',
    '0123456789abcdef01234567',
    'api',
    'a'.repeat(43),
  ],
  repository: [
    ...['', 'letters', '/letters', 'alice/', 'alice/letters/more', 'alice/a b', 'alice/a..b', 'alice/.a', 'alice/a-'],
    ...['api/letters', 'a/letters', `alice/${'a'.repeat(97)}`, 'alice/é', '%'],
  ],
};

/** Refused bodies: a description, the field that the refusal must name, and the body. */
const REFUSED: [what: string, path: string, body: unknown][] = [
  ['no watched items', 'body.watched', without(TO_URL, 'watched')],
  ['an empty list of watched items', 'body.watched', changed({ watched: [] })],
  ['watched items that are not a list', 'body.watched', changed({ watched: WATCHED })],
  ['null as watched items', 'body.watched', changed({ watched: null })],
  ['a watched item that is a text', 'body.watched.0', changed({ watched: ['alice'] })],
  ['a watched item without a type', 'body.watched.0.type', changed({ watched: [{ name: 'alice' }] })],
  [
    'a watched item of an unknown type',
    'body.watched.0.type',
    changed({ watched: [{ type: 'users', name: 'alice' }] }),
  ],
  ['a watched type in capitals', 'body.watched.0.type', changed({ watched: [{ type: 'User', name: 'alice' }] })],
  ['a watched item without a name', 'body.watched.1.name', changed({ watched: [WATCHED, { type: 'org' }] })],
  ['a watched name that is a number', 'body.watched.0.name', changed({ watched: [{ type: 'user', name: 1 }] })],
  ...Object.entries(IMPOSSIBLE).flatMap(([kind, names]) =>
    names.flatMap((name) =>
      (kind === 'account'
        ? (['user', 'org'] as const)
        : (['model', 'dataset', 'space', 'bucket', 'kernel'] as const)
      ).map((type): [string, string, unknown] => [
        `a watched ${type} that cannot come to exist, ${JSON.stringify(name)}`,
        'body.watched.1.name',
        changed({ watched: [WATCHED, { type, name }] }),
      ]),
    ),
  ),
  ['no domains', 'body.domains', without(TO_URL, 'domains')],
  ['an empty list of domains', 'body.domains', changed({ domains: [] })],
  ['domains that are a text', 'body.domains', changed({ domains: 'repo' })],
  ['an unknown domain', 'body.domains.1', changed({ domains: ['repo', 'collection'] })],
  ['a domain in the plural', 'body.domains.0', changed({ domains: ['discussions'] })],
  ['a URL that is a number', 'body.url', changed({ url: 7 })],
  ['null as URL', 'body.url', changed({ url: null })],
  ['a URL without a scheme', 'body.url', changed({ url: 'example.com/hook' })],
  ['an empty URL', 'body.url', changed({ url: '' })],
  ['a URL of another scheme', 'body.url', changed({ url: 'ftp://example.com/hook' })],
  ['a URL that runs in a browser', 'body.url', changed({ url: 'javascript:alert(1)' })],
  ['a URL of a file', 'body.url', changed({ url: 'file:///etc/passwd' })],
  ['a URL with a password', 'body.url', changed({ url: `https://alice:${HUSH}@example.com/hook` })],
  ['a URL with a user name', 'body.url', changed({ url: `https://${HUSH}@example.com/hook` })],
  ['a URL with a control character', 'body.url', changed({ url: 'https://example.com/\u0001hook' })],
  ['a secret beyond 0x7F', 'body.secret', changed({ secret: `${HUSH}\u0080` })],
  ['a secret with a letter beyond ASCII', 'body.secret', changed({ secret: `${HUSH}é` })],
  ['a secret with a tab', 'body.secret', changed({ secret: `${HUSH}\t` })],
  ['a secret with a line break at its end', 'body.secret', changed({ secret: `${HUSH}\n` })],
  ['a secret with 0x1F', 'body.secret', changed({ secret: `${HUSH}\u001f` })],
  ['a secret that is a number', 'body.secret', changed({ secret: 7 })],
  ['null as secret', 'body.secret', changed({ secret: null })],
  ['a source job that is a number', 'body.jobSourceId', { ...NO_TARGET, jobSourceId: 7 }],
  ['a job that is a text', 'body.job', { ...NO_TARGET, job: 'job' }],
  ['a job that is a list', 'body.job', { ...NO_TARGET, job: [] }],
  ['a job without a flavor', 'body.job.flavor', { ...NO_TARGET, job: { dockerImage: 'python:3.12' } }],
  ['an unknown flavor', 'body.job.flavor', withJob({ flavor: 'h100' })],
  ['an image that is a number', 'body.job.dockerImage', withJob({ dockerImage: 7 })],
  ['a Space that is a number', 'body.job.spaceId', { ...NO_TARGET, job: { flavor: 'cpu-basic', spaceId: 7 } }],
  ['arguments that are a text', 'body.job.arguments', withJob({ arguments: '-v' })],
  ['an argument that is a number', 'body.job.arguments.0', withJob({ arguments: [1] })],
  ['an empty command', 'body.job.command', withJob({ command: [] })],
  ['a command with an empty part', 'body.job.command.1', withJob({ command: ['python', ''] })],
  ['a command that is a text', 'body.job.command', withJob({ command: 'python' })],
  ['an environment that is a list', 'body.job.environment', withJob({ environment: ['A1'] })],
  ['a value in the environment that is a number', 'body.job.environment.A1', withJob({ environment: { A1: 1 } })],
  ['one character as name in the environment', 'body.job.environment.A', withJob({ environment: { A: 'x' } })],
  ['a name in the environment with a digit first', 'body.job.environment.1A', withJob({ environment: { '1A': 'x' } })],
  ['one with an underscore first', 'body.job.environment._A', withJob({ environment: { _A: 'x' } })],
  ['one with a dash', 'body.job.environment.A-B', withJob({ environment: { 'A-B': 'x' } })],
  ['one with a letter beyond ASCII', 'body.job.environment.Aé', withJob({ environment: { Aé: 'x' } })],
  ['an empty name of a secret', 'body.job.secrets.', withJob({ secrets: { '': HUSH } })],
  ['a name of a secret with a digit first', 'body.job.secrets.1', withJob({ secrets: { '1': HUSH } })],
  ['a name of a secret with an underscore first', 'body.job.secrets._A', withJob({ secrets: { _A: HUSH } })],
  ['a name of a secret with a dash', 'body.job.secrets.A-B', withJob({ secrets: { 'A-B': HUSH } })],
  ['a secret of the job that is a list', 'body.job.secrets.A', withJob({ secrets: { A: [HUSH] } })],
  ['secrets as a list of names', 'body.job.secrets', withJob({ secrets: ['A'] })],
  ['an unknown arch', 'body.job.arch', withJob({ arch: 'x86' })],
  ['no time at all', 'body.job.timeoutSeconds', withJob({ timeoutSeconds: 0 })],
  ['a time below zero', 'body.job.timeoutSeconds', withJob({ timeoutSeconds: -1 })],
  ['half seconds', 'body.job.timeoutSeconds', withJob({ timeoutSeconds: 1.5 })],
  ['a time too large', 'body.job.timeoutSeconds', withJob({ timeoutSeconds: LARGEST + 1 })],
  ['a time that is a text', 'body.job.timeoutSeconds', withJob({ timeoutSeconds: '60' })],
  ['no attempt', 'body.job.attempts', withJob({ attempts: 0 })],
  ['half attempts', 'body.job.attempts', withJob({ attempts: 1.5 })],
  ['attempts that are a text', 'body.job.attempts', withJob({ attempts: '2' })],
  ['null as attempts', 'body.job.attempts', withJob({ attempts: null })],
  ['a label of 101 characters', `body.job.labels.${'k'.repeat(101)}`, withJob({ labels: { ['k'.repeat(101)]: 'v' } })],
  ['a label without a name', 'body.job.labels.', withJob({ labels: { '': 'v' } })],
  ['a label with a blank', 'body.job.labels.a b', withJob({ labels: { 'a b': 'v' } })],
  ['a label with a slash', 'body.job.labels.a/b', withJob({ labels: { 'a/b': 'v' } })],
  ['a value of a label of 101 characters', 'body.job.labels.a', withJob({ labels: { a: 'v'.repeat(101) } })],
  ['a value of a label with a blank', 'body.job.labels.a', withJob({ labels: { a: 'v w' } })],
  ['a value of a label that is a number', 'body.job.labels.a', withJob({ labels: { a: 1 } })],
  ['an empty list of volumes', 'body.job.volumes', withJob({ volumes: [] })],
  ['volumes that are an object', 'body.job.volumes', withJob({ volumes: VOLUME })],
  ['a volume of an unknown type', 'body.job.volumes.0.type', withVolume({ type: 'kernel' })],
  ['a volume without a type', 'body.job.volumes.0.type', withVolume({ type: undefined })],
  ['a volume without a source', 'body.job.volumes.0.source', withVolume({ source: undefined })],
  ['a volume without a path to mount at', 'body.job.volumes.0.mountPath', withVolume({ mountPath: undefined })],
  ['a path to mount at without its slash', 'body.job.volumes.0.mountPath', withVolume({ mountPath: 'data' })],
  ['an empty path to mount at', 'body.job.volumes.0.mountPath', withVolume({ mountPath: '' })],
  ['a revision that is a number', 'body.job.volumes.0.revision', withVolume({ revision: 1 })],
  ['read-only as a text', 'body.job.volumes.0.readOnly', withVolume({ readOnly: 'true' })],
  ['a path in the volume that is a list', 'body.job.volumes.0.path', withVolume({ path: ['in'] })],
  ['no target', 'body', NO_TARGET],
  ['a URL and a job', 'body', changed({ job: JOB })],
  ['a URL and a source job', 'body', changed({ jobSourceId: 'a-job' })],
  ['a job and a source job', 'body', { ...withJob({}), jobSourceId: 'a-job' }],
  ['all three targets', 'body', changed({ job: JOB, jobSourceId: 'a-job' })],
  ['a job with image and Space', 'body.job', withJob({ spaceId: 'alice/space' })],
  ['a job with neither image nor Space', 'body.job', { ...NO_TARGET, job: { flavor: 'cpu-basic' } }],
  ['a list as body', 'body', [TO_URL]],
  ['a text as body', 'body', '"webhook"'],
  ['a number as body', 'body', '7'],
  ['an empty object as body', 'body.watched', {}],
];

/** Requests that are refused before the hub checks their fields. */
const MALFORMED: [what: string, status: number, body: string, headers?: Record<string, string>][] = [
  ['JSON that ends too early', 400, JSON.stringify({ ...TO_URL, secret: HUSH }).slice(0, -1)],
  ['JSON with single quotes', 400, `{'secret': '${HUSH}'}`],
  ['a body that is not JSON', 400, `secret=${HUSH}`],
  ['an empty body', 400, ''],
  ['a body of blanks', 400, ' \r\n '],
  ['null as body', 400, 'null'],
  ['a NUL character in a name', 400, JSON.stringify(changed({ watched: [{ type: 'user', name: 'al\u0000ice' }] }))],
  ['a NUL character in a secret', 400, JSON.stringify(changed({ secret: `${HUSH}\u0000` }))],
  ['another prototype', 400, `{"__proto__": {"secret": "${HUSH}"}, ${JSON.stringify(TO_URL).slice(1)}`],
  ['a plain text', 415, JSON.stringify(TO_URL), { 'content-type': 'text/plain' }],
  ['a form', 415, `url=x&secret=${HUSH}`, { 'content-type': 'application/x-www-form-urlencoded' }],
  ['XML', 415, `<secret>${HUSH}</secret>`, { 'content-type': 'application/xml' }],
  ['more than 1 MiB', 413, JSON.stringify(changed({ padding: 'x'.repeat(1024 * 1024), secret: HUSH }))],
];

let hub: TestHub;
let alice: Connection;

beforeAll(async () => {
  hub = await startHub();
  await hub.people('alice');
  alice = hub.as('alice');
});
afterAll(() => hub[Symbol.asyncDispose]());
afterEach(async () => {
  for (const { id } of await listWebhooks(alice)) await deleteWebhook({ ...alice, webhookId: id });
});

const post = (body: unknown, headers?: Record<string, string>) =>
  ask(alice, 'POST /api/settings/webhooks', body, headers);

/** Returns the body with secrets wherever they fit. */
function withSecrets(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const given = body as AnyObject;
  const { job: ofJob } = given;
  const roomInJob = typeof ofJob === 'object' && ofJob !== null && !Array.isArray(ofJob);
  return { secret: HUSH, ...given, ...(roomInJob && { job: { secrets: { HUSH }, ...ofJob } }) };
}

/** Returns the text of a refusal, after checking that it is one, reveals no secret and changed nothing. */
async function refused(answer: Response): Promise<ErrorBody> {
  const text = await answer.text();
  expect(text).not.toContain(HUSH);
  expect(answer.headers.get('x-error-message') ?? '').not.toContain(HUSH);
  expect(await listWebhooks(alice)).toEqual([]);
  const body = ErrorBody.parse(JSON.parse(text));
  expect(body.error).toMatch(/\w+ \w+/);
  return body;
}

describe('a webhook is created with', () => {
  test.each(ACCEPTED)('%s', async (_what, body, shown = {}) => {
    const { webhook } = await createWebhook({ ...alice, webhook: body });
    expect(await listWebhooks(alice)).toEqual([webhook]);
    expect(webhook).toMatchObject({ disabled: false, ...shown });
    expect(JSON.stringify(webhook)).not.toContain(HUSH);
  });

  test('unknown fields, which are ignored', async () => {
    const answer = await post({
      ...changed({ color: 'red', watched: [{ ...WATCHED, since: 1 }] }),
      disabled: true,
      id: '0'.repeat(24),
    });
    const { webhook } = (await answer.json()) as { webhook: Webhook };
    expect(answer.status).toBe(200);
    expect(webhook).not.toHaveProperty('color');
    expect(webhook.watched).toEqual([{ ...WATCHED, avatarUrl: expect.any(String) }]);
    expect(webhook).toMatchObject({ disabled: false, id: expect.not.stringMatching(/^0+$/) });
  });

  test('unknown fields in its job, which are ignored', async () => {
    const answer = await post(withVolume({ color: 'red' }));
    const { webhook } = (await answer.json()) as { webhook: Webhook };
    expect(answer.status).toBe(200);
    expect(JSON.stringify(webhook)).not.toContain('red');
  });
});

describe('a webhook is refused with', () => {
  test.each(REFUSED)('%s', async (_what, path, body) => {
    const answer = await post(withSecrets(body));
    const { error, issues = [] } = await refused(answer);
    expect(answer.status).toBe(400);
    expect(issues.map((issue) => issue.path)).toContain(path);
    expect(error).toContain(`${path}: `);
  });

  test('several errors, each with its path', async () => {
    const { issues } = await refused(await post({ watched: [{ name: 1 }], domains: [], secret: `${HUSH}é` }));
    expect(issues?.map(({ path }) => path)).toEqual([
      'body.watched.0.type',
      'body.watched.0.name',
      'body.domains',
      'body.secret',
    ]);
  });
});

describe('a request is refused with', () => {
  test.each(MALFORMED)('%s', async (_what, status, body, headers) => {
    const answer = await post(body, headers);
    await refused(answer);
    expect(answer.status).toBe(status);
  });
});

describe('an update is refused by the same rules, and changes nothing', () => {
  test.each(REFUSED.filter(([what]) => what !== 'no target'))('%s', async (_what, path, body) => {
    const { webhook } = await createWebhook({ ...alice, webhook: { ...TO_URL, secret: 'before' } });
    const answer = await ask(alice, `POST /api/settings/webhooks/${webhook.id}`, withSecrets(body));
    const text = await answer.text();
    expect(answer.status).toBe(400);
    expect(text).toContain(JSON.stringify(path));
    expect(text).not.toContain(HUSH);
    expect(await listWebhooks(alice)).toEqual([webhook]);
  });
});
