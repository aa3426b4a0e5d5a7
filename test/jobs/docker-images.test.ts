import { cancelJob } from '@moonbase/client/jobs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type DockerFixture, startDockerFixture } from './fixture.ts';
import { type Registry, startRegistry } from './registry.ts';

const engine = inject('engine');
const registry = 'registry' in engine ? engine.registry : '';

describe.skipIf('reason' in engine)('images', () => {
  let fixture: DockerFixture;
  let images: Registry;
  beforeAll(async () => {
    if (!('socket' in engine)) return;
    fixture = await startDockerFixture(engine);
    images = await startRegistry(engine.registry, fixture);
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
    await images[Symbol.asyncDispose]();
  });

  test('a missing image is pulled once for all jobs that need it, and present for later ones', async () => {
    const dockerImage = `${registry}/acme/train:v1`;
    const ids = await Promise.all([1, 2].map((at) => fixture.run(`echo ${at}`, { dockerImage })));
    for (const [at, id] of ids.entries()) {
      expect((await fixture.ended(id)).status).toMatchObject({ stage: 'COMPLETED', message: null });
      expect(await fixture.log(id)).toEqual([String(at + 1)]);
      expect(await fixture.reasons(id)).toEqual(['Created', 'Starting', 'Waiting', 'Started', 'Completed']);
    }
    const before = images.asked.length;
    expect(images.asked).toContain('/v2/acme/train/manifests/v1');
    const again = await fixture.run('true', { dockerImage });
    await fixture.ended(again);
    expect(await fixture.reasons(again)).not.toContain('Waiting');
    expect(images.asked).toHaveLength(before);
  });

  test('a job whose image has a digest runs exactly that image', async () => {
    const dockerImage = `${registry}/acme/exact:v9@${images.digest}`;
    const id = await fixture.run('echo exact', { dockerImage });
    expect((await fixture.ended(id)).status.stage).toBe('COMPLETED');
    expect(images.asked.join()).not.toContain('v9');
  });

  test.each([
    [`${registry}/acme/missing/a:v1`, /^The image \S+\/missing\/a:v1 could not be pulled: .*manifest unknown/],
    ['localhost/moonbase/none', /^The image localhost\/moonbase\/none:latest could not be pulled: ./],
    [`${registry}/acme/train@sha256:${'0'.repeat(64)}`, /could not be pulled: .*does not match|digest/],
  ])('a job whose image %s cannot be pulled fails and tells its owner why', async (dockerImage, message) => {
    const { status } = await fixture.ended(await fixture.run('true', { dockerImage }));
    expect(status).toMatchObject({ stage: 'ERROR', failureCount: 1 });
    expect(status.message).toMatch(message);
  });

  test('a job that is canceled while its image is pulled never starts, and the hub stops without waiting for the pull', async () => {
    const dockerImage = `${registry}/slow/a:v1`;
    const waits = { message: `The image ${dockerImage} is being pulled` };
    const [canceled, waiting] = [
      await fixture.run('echo a', { dockerImage }),
      await fixture.run('echo b', { dockerImage }),
    ];
    for (const id of [canceled, waiting]) await fixture.until(id, ({ status }) => status.message === waits.message);
    await cancelJob({ ...fixture.connection(), jobId: canceled });
    expect(await fixture.log(canceled)).toEqual([]);
    expect(await fixture.stop()).toBe(0);
    images.release();
    await fixture.restart();
    expect((await fixture.ended(waiting)).status.stage).toBe('COMPLETED');
    expect(await fixture.reasons(canceled)).toEqual(['Created', 'Starting', 'Waiting', 'Canceled']);
    expect(await fixture.container(canceled)).toBeUndefined();
  });
});
