import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createCommit } from '@moonbase/client/content';
import type { JobSpecification } from '@moonbase/client/jobs';
import { createBucket, createRepo, createTag } from '@moonbase/client/repositories';
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
    await mkdir(volumes);
    await fixture.stop();
    await fixture.restart({ MOONBASE_JOB_VOLUMES_DIR: volumes });
    const files = [{ path: 'config.json', content: '{"layers":12}\n' }];
    await createRepo({ ...fixture.connection(), repo: 'admin/bert', files });
    const bert = { ...fixture.connection(), type: 'model', repo: 'admin/bert' } as const;
    await createTag({ ...bert, tag: 'v1', revision: 'main' });
    const operations = { summary: 'Wider', files: [{ path: 'wide/config.json', content: '{"layers":24}\n' }] };
    const body = new Blob([JSON.stringify(operations)], { type: 'application/json' });
    await createCommit({ ...bert, branch: 'main', operations: body });
    await createBucket({ ...fixture.connection(), repo: 'admin/data' });
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
    const { hubUrl, accessToken } = fixture.connection();
    const headers = { authorization: `Bearer ${accessToken}` };
    const kept = await fetch(`${hubUrl}/buckets/admin/data/resolve/result`, { headers });
    expect(await kept.text()).toBe('kept\n');
    const next = await mounting('cat /in/result; rm /in/result', { ...bucket, mountPath: '/in', readOnly: true });
    expect(next).toMatchObject({ status: { stage: 'ERROR', message: 'Exit code 1' } });
    expect(next.log).toContain('kept');
  });

  test('a job reads a repository at a revision, and a folder of it alone', async () => {
    const script = 'ls -A /v1; cat /wide/config.json; id -u; ls -A /models/bert; touch /wide/x || echo read only';
    const { status, log } = await mounting(
      script,
      { ...model, mountPath: '/v1', revision: 'v1' },
      { ...model, mountPath: '/wide', path: 'wide' },
      model,
    );
    expect(status).toMatchObject({ stage: 'COMPLETED' });
    expect(log.filter((line) => !line.startsWith('touch'))).toEqual([
      ...['.gitattributes', 'config.json', '{"layers":24}', '0', '.gitattributes', 'config.json', 'wide', 'read only'],
    ]);
    await expect.poll(() => readdir(join(volumes, 'checkouts'))).toEqual([]);
  });

  test.each([
    ['a missing revision', { ...model, revision: 'v2' }, 'revision'],
    ['a missing bucket', { ...bucket, source: 'admin/none' }, 'source'],
    ['a whole namespace', { ...bucket, source: './admin' }, 'source'],
    ['a path outside', { ...bucket, source: 'admin/..' }, 'source'],
    ['a mount path with ..', { ...bucket, mountPath: '/data/../etc' }, 'mountPath'],
  ])('%s is refused', async (_, volume, where) => {
    expect(await refusal(fixture.run('true', { volumes: [volume] }))).toMatchObject({
      ...{ status: 400, issues: [{ path: `body.volumes.0.${where}` }] },
    });
  });
});
