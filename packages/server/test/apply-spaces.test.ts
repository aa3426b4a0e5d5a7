import { applyHub } from '@moonbase/client/admin';
import { createRepo, deleteRepo } from '@moonbase/client/repositories';
import {
  getSpaceRuntime,
  listSpaceSecrets,
  listSpaceVariables,
  setSpaceSecret,
  setSpaceVariable,
} from '@moonbase/client/spaces';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { ask } from './ask.ts';
import { type Connection, person, startHub, type TestHub } from './harness.ts';

type AppliedDocument = Parameters<TestHub['apply']>[0];
type HubSpace = NonNullable<AppliedDocument['repos']>[number];

let hub: TestHub;
let ada: Connection;
beforeEach(async () => {
  hub = await startHub();
  onTestFinished(() => hub[Symbol.asyncDispose]());
  ada = hub.as('ada');
  await hub.apply({ users: ['ada', 'bob'].map(person) });
});

const SPACE = { type: 'space', name: 'ada/demo' } as const;
const VOLUME = { type: 'bucket', source: 'ada/data', mountPath: '/data' } as const;

/** Applies what a document says about Spaces; returns the counts of their settings that are not zero. */
async function settle(...repos: HubSpace[]): Promise<Record<string, number>> {
  const { spaceSettings } = await applyHub({ ...hub.admin, document: { repos } as AppliedDocument });
  return Object.fromEntries(Object.entries(spaceSettings).filter(([, count]) => count > 0));
}

async function faultsOf(...repos: object[]): Promise<string[]> {
  const answer = await ask(hub.admin, 'PUT /api/admin/hub', { repos });
  const { issues } = (await answer.json()) as { issues?: { path: string; message: string }[] };
  expect(answer.status).toBe(400);
  return (issues ?? []).map(({ path, message }) => `${path.replace('body.repos.', '')}: ${message}`);
}

const variables = async () =>
  Object.entries(await listSpaceVariables({ ...ada, repo: 'ada/demo' })).map(([key, { value }]) => `${key}=${value}`);
const secrets = async () => Object.keys(await listSpaceSecrets({ ...ada, repo: 'ada/demo' }));
const volumes = async () => (await getSpaceRuntime({ ...ada, repo: 'ada/demo' })).volumes;
const sealed = async () =>
  hub.database.read.selectFrom('space_environment').select(['key', 'sealed_value']).orderBy('key').execute();
const events = async () =>
  (await hub.database.read.selectFrom('events').select('id').where('topic', '=', 'repo').execute()).length;

test('a document sets up a Space with variables, secrets and a bucket that it makes, and the same one changes nothing', async () => {
  const space = {
    ...SPACE,
    variables: [{ key: 'MODEL', value: 'small', description: 'Which' }],
    secrets: [{ key: 'KEY', value: 'hush hush' }],
    volumes: [VOLUME],
  };
  const bucket = { type: 'bucket', name: 'ada/data' } as const;
  expect(await settle(space, bucket)).toEqual({ created: 3 });
  expect([await variables(), await secrets(), await volumes()]).toEqual([
    ...[['MODEL=small'], ['KEY']],
    [{ ...VOLUME, readOnly: false }],
  ]);
  const [before, happened] = [await sealed(), await events()];
  expect(await settle(space, bucket)).toEqual({ unchanged: 3 });
  // A secret keeps its value, and need not be told again.
  expect(await settle({ ...space, secrets: [{ key: 'KEY' }] })).toEqual({ unchanged: 3 });
  expect(await settle({ ...space, secrets: [{ key: 'KEY', value: 'another' }] })).toEqual({ unchanged: 3 });
  expect([await sealed(), await events()]).toEqual([before, happened]);
  expect(JSON.stringify(await sealed())).not.toContain('hush');
});

test('what a document names is changed or removed, and the rest stays', async () => {
  await createRepo({ ...ada, type: 'space', sdk: 'gradio', repo: 'ada/demo' });
  for (const key of ['STAYS', 'CHANGES', 'GOES'])
    await setSpaceVariable({ ...ada, repo: 'ada/demo', key, value: 'old' });
  await setSpaceSecret({ ...ada, repo: 'ada/demo', key: 'TURNS', value: 'old' });
  await createRepo({ ...ada, repo: 'ada/m' });
  const model = { type: 'model', source: 'ada/m', mountPath: '/m' } as const;
  const change = {
    ...SPACE,
    variables: [
      { key: 'CHANGES', value: 'new' },
      { key: 'GOES', state: 'absent' as const },
      { key: 'TURNS', value: 'told' },
    ],
    secrets: [{ key: 'TURNS', state: 'absent' as const }],
    volumes: [model],
  };
  const before = await events();
  expect(await settle(change)).toEqual({ created: 2, updated: 1, removed: 2 });
  expect([await variables(), await secrets()]).toEqual([['CHANGES=new', 'STAYS=old', 'TURNS=told'], []]);
  expect((await events()) - before).toBe(5);
  expect(await settle(change)).toEqual({ unchanged: 3 });
  expect(await settle({ ...SPACE, volumes: [{ ...model, path: 'weights' }] })).toEqual({ updated: 1 });
  expect(await settle({ ...SPACE, volumes: [] })).toEqual({ removed: 1 });
  expect(await volumes()).toEqual([]);
});

test('volumes of what only its owner reads are shown to nobody else', async () => {
  await createRepo({ ...hub.as('bob'), repo: 'bob/hidden', private: true });
  const model = { type: 'model', source: 'bob/hidden', mountPath: '/m' } as const;
  expect(await settle({ ...SPACE, volumes: [model] })).toEqual({ created: 1 });
  expect(await volumes()).toEqual([]);
  expect((await getSpaceRuntime({ ...hub.as('bob'), repo: 'ada/demo' })).volumes).toMatchObject([model]);
  await deleteRepo({ ...hub.as('bob'), repo: 'bob/hidden' });
  expect((await getSpaceRuntime({ ...hub.as('bob'), repo: 'ada/demo' })).volumes).toEqual([]);
});

test('a bad document changes nothing, and each fault is named', async () => {
  await createRepo({ ...ada, type: 'space', sdk: 'static', repo: 'ada/demo' });
  await setSpaceSecret({ ...ada, repo: 'ada/demo', key: 'KEY', value: 'v' });
  expect(
    await faultsOf(
      { name: 'ada/m', variables: [] },
      {
        ...SPACE,
        variables: [
          { key: 'KEY', value: 'x' },
          { key: 'TWICE', value: 'x' },
        ],
        secrets: [{ key: 'TWICE', value: 'x' }, { key: 'NEW' }],
        volumes: [VOLUME],
      },
      { ...SPACE, name: 'ada/other', volumes: [{ ...VOLUME, mountPath: '/etc' }] },
    ),
  ).toEqual([
    '0.variables: are for Spaces only',
    '1.variables.0.key: is a secret of this Space; mark that one absent',
    '1.secrets.0.key: is given twice',
    '1.secrets.1.value: is needed: the Space has no such secret yet',
    '1.volumes: are not for Spaces with the SDK static',
    '1.volumes.0.source: there is no bucket ada/data',
    '2.volumes.0.mountPath: must be a path of its own without `.`, `..` and empty parts',
  ]);
  expect(await variables()).toEqual([]);
  const many = Array.from({ length: 101 }, (_, at) => ({ key: `V${at}` }));
  expect(await faultsOf({ ...SPACE, variables: many })).toEqual([
    '0.variables: are more than 100, with those that the Space has',
  ]);
  await expect(hub.apply({ repos: [{ ...SPACE, variables: [{ key: '1', value: '' }] }] })).rejects.toMatchObject({
    status: 400,
  });
});

test('a large document sets up Spaces in steps', async () => {
  const repos = Array.from({ length: 30 }, (_, at) => ({
    ...{ type: 'space' as const, name: `ada/s${at}`, variables: [{ key: 'A', value: `${at}` }, { key: 'B' }] },
    volumes: [{ type: 'space' as const, source: `ada/s${29 - at}`, mountPath: '/other' }],
  }));
  expect(await settle(...repos)).toEqual({ created: 90 });
  expect(await settle(...repos)).toEqual({ unchanged: 90 });
  expect((await getSpaceRuntime({ ...ada, repo: 'ada/s3' })).volumes).toMatchObject([{ source: 'ada/s26' }]);
});
