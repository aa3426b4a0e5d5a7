import { exportAuditLog } from '@moonbase/client/audit-log';
import { duplicateRepo, streamSpaceLogs } from '@moonbase/client/content';
import { createRepo, deleteRepo, getRepo, listSpaces, moveRepo } from '@moonbase/client/repositories';
import {
  deleteSpaceSecret,
  deleteSpaceVariable,
  deleteSpaceVolumes,
  getSpaceRuntime,
  listSpaceHardware,
  listSpaceSecrets,
  listSpaceTemplates,
  listSpaceVariables,
  pauseSpace,
  setSpaceSecret,
  setSpaceVariable,
  setSpaceVolumes,
} from '@moonbase/client/spaces';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { MINUTE } from './clock.ts';
import { type Connection, collect, person, startHub, type TestHub } from './harness.ts';

let hub: TestHub;
let ada: Connection;
beforeAll(async () => {
  hub = await startHub();
  ada = hub.as('ada');
  await hub.apply({
    users: ['ada', 'bob'].map(person),
    organizations: [{ name: 'acme', plan: 'team', members: [{ user: 'ada', role: 'admin' }] }],
  });
});
afterAll(() => hub[Symbol.asyncDispose]());

const make = (repo: string, more: object = {}) => createRepo({ ...ada, type: 'space', sdk: 'gradio', repo, ...more });
const variables = async (repo: string, as = ada) =>
  Object.entries(await listSpaceVariables({ ...as, repo })).map(([key, { value }]) => `${key}=${value}`);
const secrets = async (repo: string) => Object.keys(await listSpaceSecrets({ ...ada, repo }));
const errorOf = async (answer: Response): Promise<unknown> => Object(await answer.json()).error;
const entry = (key: string, value: string) => ({ key, value });
const configEvents = async (repo: string) => {
  const rows = await hub.database.read.selectFrom('events').select('data').where('topic', '=', 'repo').execute();
  return rows
    .map(({ data }) => JSON.parse(data).payload)
    .filter(({ event, repo: { name } }) => name === repo && event.scope === 'repo.config');
};

describe('variables', () => {
  test('are set, changed and deleted, with the list as the answer', async () => {
    await make('ada/v');
    expect(await listSpaceVariables({ ...ada, repo: 'ada/v' })).toEqual({});
    const first = new Date(hub.clock.now()).toISOString();
    expect(await setSpaceVariable({ ...ada, repo: 'ada/v', key: 'MODEL', value: 'a', description: 'Which' })).toEqual({
      MODEL: { key: 'MODEL', value: 'a', description: 'Which', updatedAt: first },
    });
    hub.clock.advance(MINUTE);
    await setSpaceVariable({ ...ada, repo: 'ada/v', key: 'MODEL', value: 'b' });
    const set = await setSpaceVariable({ ...ada, repo: 'ada/v', key: 'A' });
    expect(set).toMatchObject({ A: { value: '' }, MODEL: { value: 'b', description: 'Which' } });
    expect(set.MODEL?.updatedAt).not.toBe(first);
    expect(await setSpaceVariable({ ...ada, repo: 'ada/v', key: 'MODEL', value: 'b', description: '' })).toEqual({
      A: expect.anything(),
      MODEL: { key: 'MODEL', value: 'b', updatedAt: expect.any(String) },
    });
    for (const key of ['MODEL', 'MODEL', 'never'])
      expect(Object.keys(await deleteSpaceVariable({ ...ada, repo: 'ada/v', key }))).toEqual(['A']);
  });

  test('record one event each that changes something, which says nothing of them', async () => {
    await make('ada/events');
    for (const value of ['one', 'one', 'two']) await setSpaceVariable({ ...ada, repo: 'ada/events', key: 'K', value });
    await deleteSpaceVariable({ ...ada, repo: 'ada/events', key: 'K' });
    await deleteSpaceVariable({ ...ada, repo: 'ada/events', key: 'K' });
    const events = await configEvents('ada/events');
    expect(events).toHaveLength(3);
    for (const event of events) {
      expect(event).toMatchObject({ event: { action: 'update', scope: 'repo.config' }, updatedConfig: {} });
      expect(JSON.stringify(event)).not.toMatch(/"K"|one|two/);
    }
  });

  test.each([
    ['1A', 'x', 'body.key'],
    ['_A', 'x', 'body.key'],
    ['A-B', 'x', 'body.key'],
    ['', 'x', 'body.key'],
    ['A'.repeat(257), 'x', 'body.key'],
    ['A', 'é'.repeat(8193), '16 KiB'],
    ['A', 'a\0b', 'NUL'],
    ['A', 7, 'body.value'],
  ])('are refused, as secrets are, where the request is %#', async (key, value, reason) => {
    await make('ada/refused').catch(() => {});
    for (const kind of ['variables', 'secrets']) {
      const answer = await ask(ada, `POST /api/spaces/ada/refused/${kind}`, { key, value });
      expect(answer.status).toBe(400);
      expect(await errorOf(answer)).toContain(reason);
      expect(await (await ask(ada, `GET /api/spaces/ada/refused/${kind}`)).json()).toEqual({});
    }
  });

  test('have room for a hundred, and so have secrets; large values fit', async () => {
    const many = Array.from({ length: 99 }, (_, at) => entry(`K${at}`, 'x'));
    await make('ada/full', { variables: many, secrets: many.map(({ key }) => entry(`S${key}`, 'x')) });
    await setSpaceVariable({ ...ada, repo: 'ada/full', key: 'LAST', value: 'é'.repeat(8192) });
    await setSpaceSecret({ ...ada, repo: 'ada/full', key: 'SLAST', value: 'é'.repeat(8192) });
    for (const kind of ['variables', 'secrets']) {
      const answer = await ask(ada, `POST /api/spaces/ada/full/${kind}`, entry('MORE', 'x'));
      expect([answer.status, await errorOf(answer)]).toEqual([409, expect.stringContaining('100')]);
    }
    await setSpaceVariable({ ...ada, repo: 'ada/full', key: 'K0', value: 'changed' });
    expect(await variables('ada/full')).toHaveLength(100);
  });
});

describe('secrets', () => {
  test('are listed without their values, and share their keys with variables', async () => {
    await make('ada/s');
    const set = await setSpaceSecret({
      ...ada,
      repo: 'ada/s',
      key: 'TOKEN',
      value: 'hush',
      description: 'For the API',
    });
    const listed = { TOKEN: { key: 'TOKEN', description: 'For the API', updatedAt: expect.any(String) } };
    expect(set).toEqual(listed);
    expect(await setSpaceSecret({ ...ada, repo: 'ada/s', key: 'TOKEN', value: 'louder' })).toEqual(listed);
    await setSpaceVariable({ ...ada, repo: 'ada/s', key: 'MODEL', value: 'a' });
    for (const [kind, key, other] of [
      ['variables', 'TOKEN', 'secret'],
      ['secrets', 'MODEL', 'variable'],
    ]) {
      const answer = await ask(ada, `POST /api/spaces/ada/s/${kind}`, { key, value: 'x' });
      expect([answer.status, await errorOf(answer)]).toEqual([409, expect.stringContaining(`is a ${other}`)]);
      // Deleting one kind leaves the other alone.
      await ask(ada, `DELETE /api/spaces/ada/s/${kind}`, { key });
    }
    expect([await variables('ada/s'), await secrets('ada/s')]).toEqual([['MODEL=a'], ['TOKEN']]);
    expect(await configEvents('ada/s')).toHaveLength(3);
    expect(await deleteSpaceSecret({ ...ada, repo: 'ada/s', key: 'TOKEN' })).toEqual({});
  });
});

describe('volumes', () => {
  test('follow what they mount, and show a reader what the reader may read', async () => {
    await make('ada/vol');
    await createRepo({ ...ada, repo: 'ada/weights', private: true });
    await createRepo({ ...ada, type: 'bucket', repo: 'ada/cache' });
    await setSpaceVolumes({
      ...ada,
      repo: 'ada/vol',
      volumes: [
        { type: 'model', source: 'ada/weights', mountPath: '/models/', revision: 'main', path: 'v1' },
        { type: 'bucket', source: 'ada/cache', mountPath: '/data' },
      ],
    });
    const cache = { type: 'bucket', source: 'ada/cache', mountPath: '/data', readOnly: false };
    const model = { type: 'model', mountPath: '/models', revision: 'main', readOnly: true, path: 'v1' };
    const shown = async (as: Connection) => (await getSpaceRuntime({ ...as, repo: 'ada/vol' })).volumes;
    expect(await shown(ada)).toEqual([{ ...model, source: 'ada/weights' }, cache]);
    expect(await shown(hub.as('bob'))).toEqual([cache]);
    await moveRepo({ ...ada, type: 'model', from: 'ada/weights', to: 'ada/light' });
    expect(await shown(ada)).toEqual([{ ...model, source: 'ada/light' }, cache]);
    await deleteRepo({ ...ada, type: 'bucket', repo: 'ada/cache' });
    expect(await shown(ada)).toEqual([{ ...model, source: 'ada/light' }]);
    expect(await deleteSpaceVolumes({ ...ada, repo: 'ada/vol' })).toEqual({});
    const again = await ask(ada, 'DELETE /api/spaces/ada/vol/volumes');
    expect([again.status, await errorOf(again)]).toEqual([400, 'The Space has no volumes']);
  });

  test('that nobody could mount are refused, and leave those from before', async () => {
    await make('ada/keeps');
    await make('ada/still', { sdk: 'static' });
    await createRepo({ ...ada, repo: 'ada/one' });
    const one = { type: 'model', source: 'ada/one', mountPath: '/one' } as const;
    await setSpaceVolumes({ ...ada, repo: 'ada/keeps', volumes: [one] });
    for (const [repo, volumes, reason] of [
      ['ada/keeps', [], 'volumes'],
      ['ada/keeps', [{ ...one, source: 'ada/none' }], 'volumes.0.source'],
      ['ada/keeps', [{ ...one, type: 'kernel' }], 'volumes.0.type'],
      ['ada/keeps', [{ ...one, mountPath: 'one' }], 'mountPath'],
      ['ada/keeps', [{ ...one, mountPath: '/a/../b' }], 'mountPath'],
      ['ada/keeps', [one, { ...one, mountPath: '/one/' }], 'volumes.1.mountPath'],
      ['ada/keeps', [{ ...one, readOnly: false }], 'readOnly'],
      ['ada/keeps', [{ ...one, revision: 'a b' }], 'revision'],
      ['ada/keeps', Array.from({ length: 33 }, (_, at) => ({ ...one, mountPath: `/v${at}` })), 'volumes'],
      ['ada/still', [one], 'Static Spaces'],
    ] as const) {
      const answer = await ask(ada, `PUT /api/spaces/${repo}/volumes`, { volumes });
      expect([answer.status, await errorOf(answer)]).toEqual([400, expect.stringContaining(reason)]);
    }
    const { volumes } = await getSpaceRuntime({ ...ada, repo: 'ada/keeps' });
    expect(volumes).toEqual([{ ...one, readOnly: true }]);
  });
});

describe('a new Space', () => {
  test('begins with what the request gives', async () => {
    await createRepo({ ...ada, type: 'dataset', repo: 'ada/data' });
    const mount = { type: 'dataset', source: 'ada/data', mountPath: '/data' } as const;
    const given = { variables: [entry('A', '1')], secrets: [{ ...entry('S', 'hush'), description: 'why' }] };
    await make('ada/begins', { ...given, volumes: [mount] });
    expect([await variables('ada/begins'), await secrets('ada/begins')]).toEqual([['A=1'], ['S']]);
    expect((await getSpaceRuntime({ ...ada, repo: 'ada/begins' })).volumes).toEqual([{ ...mount, readOnly: true }]);
    expect(await configEvents('ada/begins')).toEqual([]);
  });

  test.each([
    [400, { variables: [entry('A', '1'), entry('A', '2')] }, 'A is given twice'],
    [400, { variables: [entry('A', '1')], secrets: [entry('A', '2')] }, 'A is given twice'],
    [400, { variables: [entry('A-1', '1')] }, 'body.variables.0.key'],
    [400, { volumes: [{ type: 'model', source: 'ada/none', mountPath: '/m' }] }, 'there is no model'],
    [400, { template: 'SpacesExamples/jupyterlab' }, 'no templates'],
    [400, { type: 'model', secrets: [entry('A', '1')] }, 'body.secrets: is for Spaces only'],
    [501, { hardware: 't4-small' }, 'This hub stores Spaces but does not run them'],
    [501, { storageTier: 'small' }, 'This hub stores Spaces but does not run them'],
    [501, { sleepTimeSeconds: 60 }, 'This hub stores Spaces but does not run them'],
  ])('is not made: %i for %o', async (status, more, reason) => {
    const body = { name: 'ada/never', type: 'space', sdk: 'gradio', ...more };
    const answer = await ask(ada, 'POST /api/repos/create', body);
    expect([answer.status, await errorOf(answer)]).toEqual([status, expect.stringContaining(reason)]);
    expect(answer.headers.get('x-error-code')).toBe(status === 501 ? 'NotImplemented' : null);
    expect((await ask(ada, `GET /api/${body.type}s/ada/never`)).status).toBe(404);
  });

  test('that is a copy has the variables of the original, but neither its secrets nor its volumes', async () => {
    await createRepo({ ...ada, repo: 'ada/m' });
    await make('ada/original', {
      variables: [{ ...entry('A', '1'), description: 'first' }, entry('B', '2'), entry('C', '3')],
      secrets: [entry('S', 'hush'), entry('T', 'hush')],
      volumes: [{ type: 'model', source: 'ada/m', mountPath: '/m' }],
    });
    const given = { variables: [entry('B', 'two')], secrets: [entry('C', 'now a secret'), entry('T', 'mine')] };
    await duplicateRepo({ ...hub.as('bob'), type: 'space', repo: 'ada/original', to: 'bob/copy', ...given });
    const bob = hub.as('bob');
    expect(await variables('bob/copy', bob)).toEqual(['A=1', 'B=two']);
    expect(await listSpaceVariables({ ...bob, repo: 'bob/copy' })).toMatchObject({ A: { description: 'first' } });
    expect(Object.keys(await listSpaceSecrets({ ...bob, repo: 'bob/copy' }))).toEqual(['C', 'T']);
    expect((await getSpaceRuntime({ ...bob, repo: 'bob/copy' })).volumes).toEqual([]);
    expect(await variables('ada/original')).toEqual(['A=1', 'B=2', 'C=3']);

    const copy = (more: object) =>
      ask(bob, 'POST /api/spaces/ada/original/duplicate', { repository: 'bob/2', ...more });
    expect((await copy({ hardware: 't4-small' })).status).toBe(501);
    const many = Array.from({ length: 100 }, (_, at) => entry(`K${at}`, 'x'));
    expect((await copy({ variables: many })).status).toBe(400);
    expect((await ask(bob, 'GET /api/spaces/bob/2')).status).toBe(404);
  });

  test('takes its settings along when it is moved, and away when it is deleted', async () => {
    await make('ada/going', { variables: [entry('A', '1')], secrets: [entry('S', 'hush')] });
    await moveRepo({ ...ada, type: 'space', from: 'ada/going', to: 'acme/gone' });
    expect([await variables('acme/gone'), await secrets('acme/gone')]).toEqual([['A=1'], ['S']]);
    expect((await ask(ada, 'GET /api/spaces/ada/going/variables')).status).toBe(307);
    await deleteRepo({ ...ada, type: 'space', repo: 'acme/gone' });
    await make('acme/gone');
    expect([await variables('acme/gone'), await secrets('acme/gone')]).toEqual([[], []]);
  });
});

test('organizations find each change in their audit log, without values', async () => {
  await createRepo({ ...ada, repo: 'ada/hidden', private: true });
  await make('acme/audited', { variables: [entry('A', 'value-1')], secrets: [entry('S', 'value-2')] });
  const at = { ...ada, repo: 'acme/audited' };
  await setSpaceVariable({ ...at, key: 'A', value: 'value-3' });
  await setSpaceSecret({ ...at, key: 'T', value: 'value-4' });
  await deleteSpaceSecret({ ...at, key: 'T' });
  await setSpaceVolumes({ ...at, volumes: [{ type: 'model', source: 'ada/hidden', mountPath: '/m' }] });
  await deleteSpaceVolumes(at);
  const events = (await exportAuditLog({ ...ada, name: 'acme' })).filter(({ data }) =>
    JSON.stringify(data).includes('acme/audited'),
  );
  expect(events.map(({ type }) => type).toReversed()).toEqual([
    ...['repo.create', 'repo.add_variables', 'repo.add_secrets', 'repo.update_variable', 'repo.add_secret'],
    ...['repo.remove_secret', 'spaces.set_volumes', 'spaces.remove_volumes'],
  ]);
  expect(JSON.stringify(events)).not.toMatch(/value-\d|ada\/hidden/);
  expect(events.find(({ type }) => type === 'repo.add_secrets')).toMatchObject({
    message: 'Added secrets to the space acme/audited',
    data: { keys: ['S'] },
  });
});

describe('the state of a Space', () => {
  const PAUSED = {
    ...{ stage: 'PAUSED', errorMessage: 'This hub stores Spaces but does not run them', storage: null, devMode: false },
    ...{ hardware: { current: null, requested: null }, gcTimeout: null, volumes: [] },
    replicas: { current: null, requested: 0 },
  };

  test('says that nothing runs, also in the info and in lists that ask for it', async () => {
    await make('ada/idle');
    const at = { ...ada, repo: 'ada/idle' };
    expect(await getSpaceRuntime(at)).toEqual(PAUSED);
    expect(await pauseSpace(at)).toEqual(PAUSED);
    expect(await getRepo({ ...at, type: 'space' })).toMatchObject({ runtime: PAUSED });
    expect(await getRepo({ ...at, type: 'space', expand: ['runtime'] })).toMatchObject({ runtime: PAUSED });
    expect(await getRepo({ ...at, type: 'space', expand: ['sdk'] })).not.toHaveProperty('runtime');
    const listed = await collect(listSpaces({ ...ada, search: ['idle'], expand: ['runtime'] }));
    expect(listed).toMatchObject([{ id: 'ada/idle', runtime: PAUSED }]);
    expect((await collect(listSpaces({ ...ada, search: ['idle'] })))[0]).not.toHaveProperty('runtime');
    expect(await collect(streamSpaceLogs({ ...at, kind: 'run' }))).toEqual([
      { data: 'This hub stores Spaces but does not run them.\n', timestamp: expect.any(String) },
    ]);
    expect([await listSpaceHardware(ada), await listSpaceTemplates(ada)]).toEqual([[], { templates: [] }]);
  });

  test.each([
    ['POST', 'restart', undefined],
    ['POST', 'restart?factory=true', undefined],
    ['POST', 'hardware', { flavor: 't4-small' }],
    ['POST', 'sleeptime', { seconds: 60 }],
    ['POST', 'dev-mode', { enabled: true }],
    ['POST', 'storage', { tier: 'small' }],
    ['DELETE', 'storage', undefined],
  ] as const)('does not change: 501 for %s %s, to those who may write', async (method, path, body) => {
    await make('ada/runs').catch(() => {});
    const answer = await ask(ada, `${method} /api/spaces/ada/runs/${path}`, body);
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([501, 'NotImplemented']);
    expect(answer.headers.get('x-error-message')).toMatch(/^This hub stores Spaces but does not run them, so /);
    expect((await ask(hub.as('bob'), `${method} /api/spaces/ada/runs/${path}`, body)).status).toBe(403);
    expect((await ask(ada, `${method} /api/spaces/ada/nothing/${path}`, body)).status).toBe(404);
  });

  test.each(['events', 'events?session_uuid=x', 'metrics'])('is not streamed: 501 for %s, to readers', async (path) => {
    await createRepo({ ...ada, type: 'space', repo: 'ada/unseen', sdk: 'gradio', private: true }).catch(() => {});
    const answer = await ask(ada, `GET /api/spaces/ada/unseen/${path}`);
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([501, 'NotImplemented']);
    expect(answer.headers.get('x-error-message')).toMatch(/^This hub stores Spaces but does not run them, so /);
    expect((await ask(hub.as('bob'), `GET /api/spaces/ada/unseen/${path}`)).status).toBe(404);
    expect((await ask({ hubUrl: hub.url }, `GET /api/spaces/ada/unseen/${path}`)).status).toBe(401);
  });

  test('is not reloaded by a commit, and there is no quota', async () => {
    await make('ada/hot');
    const before = await getRepo({ ...ada, type: 'space', repo: 'ada/hot' });
    const commit = JSON.stringify({ key: 'header', value: { summary: 's', description: '' } });
    const headers = { 'content-type': 'application/x-ndjson' };
    const hot = await ask(ada, 'POST /api/spaces/ada/hot/commit/main?hot_reload=1', commit, headers);
    expect([hot.status, hot.headers.get('x-error-code')]).toEqual([501, 'NotImplemented']);
    expect(await getRepo({ ...ada, type: 'space', repo: 'ada/hot' })).toMatchObject({
      sha: 'sha' in before ? before.sha : '',
    });
    expect((await ask(ada, 'GET /api/spaces/zero-gpu/quota')).status).toBe(501);
  });
});

test('a licence and a short description are in the card that a repository begins with', async () => {
  const cardOf = async (path: string) => (await ask(ada, `GET /${path}/resolve/main/README.md`)).text();
  await ask(ada, 'POST /api/repos/create', { name: 'ada/licensed', license: 'other', license_name: 'Mine: "own"' });
  expect(await cardOf('ada/licensed')).toBe('---\nlicense: "other"\nlicense_name: "Mine: \\"own\\""\n---\n');
  await make('ada/described', { license: 'mit', short_description: 'Says hello' });
  expect(await cardOf('spaces/ada/described')).toContain('short_description: "Says hello"\nlicense: "mit"\n---');
  await createRepo({ ...ada, repo: 'ada/own', license: 'mit', files: [{ path: 'README.md', content: 'mine' }] });
  expect(await cardOf('ada/own')).toBe('mine');
  const long = { name: 'ada/long', type: 'space', sdk: 'gradio', short_description: 'x'.repeat(61) };
  expect((await ask(ada, 'POST /api/repos/create', long)).status).toBe(400);
});
