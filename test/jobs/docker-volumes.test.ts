import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobSpecification } from '@moonbase/client/jobs';
import { createBucket, createRepo } from '@moonbase/client/repositories';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { refusal } from '../../packages/server/test/webhooks-listen.ts';
import { type DockerFixture, startDockerFixture } from './fixture.ts';

const engine = inject('engine');

describe.skipIf('reason' in engine)('volumes', () => {
  let fixture: DockerFixture;
  let volumes: string;
  beforeAll(async () => {
    if (!('socket' in engine)) return;
    fixture = await startDockerFixture(engine);
    volumes = join(fixture.folder, 'volumes');
    for (const of of ['models/admin/bert', 'buckets/admin/data']) await mkdir(join(volumes, of), { recursive: true });
    await writeFile(join(volumes, 'models/admin/bert/config.json'), '{"layers":12}\n');
    await fixture.stop();
    await fixture.restart({ MOONBASE_JOB_VOLUMES_DIR: volumes });
    await createRepo({ ...fixture.connection(), repo: 'admin/bert' });
    await createBucket({ ...fixture.connection(), repo: 'admin/data' });
    await createBucket({ ...fixture.connection(), repo: 'admin/empty' });
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  const model = { type: 'model', source: 'admin/bert', mountPath: '/models/bert/' } as const;
  const bucket = { type: 'bucket', source: 'admin/data', mountPath: '/data' } as const;
  const mounting = async (script: string, ...given: NonNullable<JobSpecification['volumes']>) => {
    const id = await fixture.run(script, { volumes: given });
    const { status } = await fixture.ended(id);
    return { status, log: await fixture.log(id) };
  };

  test('a job reads a repository and writes to a bucket, and the next job finds the written files', async () => {
    const script = 'cat /models/bert/config.json; echo x > /models/bert/x || echo read only; echo kept > /data/result';
    const { log } = await mounting(script, model, bucket);
    expect(log).toEqual(expect.arrayContaining(['{"layers":12}', 'read only']));
    expect(await readFile(join(volumes, 'buckets/admin/data/result'), 'utf8')).toBe('kept\n');
    const next = await mounting('cat /in/result; rm /in/result', { ...bucket, mountPath: '/in', readOnly: true });
    expect(next).toMatchObject({ status: { stage: 'ERROR', message: 'Exit code 1' } });
    expect(next.log).toContain('kept');
  });

  test.each([
    ['a folder of a bucket', { ...bucket, path: 'a' }, 'path'],
    ['a revision of a model', { ...model, revision: 'v1' }, 'revision'],
    ['a missing bucket', { ...bucket, source: 'admin/none' }, 'source'],
    ['a bucket without a folder', { ...bucket, source: 'admin/empty' }, 'source'],
    ['a whole namespace', { ...bucket, source: './admin' }, 'source'],
    ['a path outside', { ...bucket, source: 'admin/..' }, 'source'],
    ['a mount path with ..', { ...bucket, mountPath: '/data/../etc' }, 'mountPath'],
  ])('%s is refused', async (_, volume, where) => {
    expect(await refusal(fixture.run('true', { volumes: [volume] }))).toMatchObject({
      ...{ status: 400, issues: [{ path: `body.volumes.0.${where}` }] },
    });
  });
});
