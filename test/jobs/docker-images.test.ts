import { cancelJob } from '@moonbase/client/jobs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Place, startPlace } from './place.ts';
import { type Registry, startRegistry } from './registry.ts';

const engine = inject('engine');
const registry = 'registry' in engine ? engine.registry : '';

describe.skipIf('reason' in engine)('images', () => {
  let place: Place;
  let images: Registry;
  beforeAll(async () => {
    if (!('socket' in engine)) return;
    place = await startPlace(engine);
    images = await startRegistry(engine.registry, place);
  });
  afterAll(async () => {
    await place[Symbol.asyncDispose]();
    await images[Symbol.asyncDispose]();
  });

  test('one that is missing is pulled for all that want it, and then there', async () => {
    const dockerImage = `${registry}/acme/train:v1`;
    const ids = await Promise.all([1, 2].map((at) => place.run(`echo ${at}`, { dockerImage })));
    for (const [at, id] of ids.entries()) {
      expect((await place.ended(id)).status).toMatchObject({ stage: 'COMPLETED', message: null });
      expect(await place.log(id)).toEqual([String(at + 1)]);
      expect(await place.reasons(id)).toEqual(['Created', 'Starting', 'Waiting', 'Started', 'Completed']);
    }
    const before = images.asked.length;
    expect(images.asked).toContain('/v2/acme/train/manifests/v1');
    const again = await place.run('true', { dockerImage });
    await place.ended(again);
    expect(await place.reasons(again)).not.toContain('Waiting');
    expect(images.asked).toHaveLength(before);
  });

  test('one with a digest is that one', async () => {
    const dockerImage = `${registry}/acme/exact:v9@${images.digest}`;
    const id = await place.run('echo exact', { dockerImage });
    expect((await place.ended(id)).status.stage).toBe('COMPLETED');
    expect(images.asked.join()).not.toContain('v9');
  });

  test.each([
    [`${registry}/acme/missing/a:v1`, /^The image \S+\/missing\/a:v1 could not be pulled: .*manifest unknown/],
    ['localhost/moonbase/none', /^The image localhost\/moonbase\/none:latest could not be pulled: ./],
    [`${registry}/acme/train@sha256:${'0'.repeat(64)}`, /could not be pulled: .*does not match|digest/],
  ])('%s cannot be had, and the owner is told why', async (dockerImage, message) => {
    const { status } = await place.ended(await place.run('true', { dockerImage }));
    expect(status).toMatchObject({ stage: 'ERROR', failureCount: 1 });
    expect(status.message).toMatch(message);
  });

  test('a job that is canceled while it waits for its image never begins, and the hub stops without it', async () => {
    const dockerImage = `${registry}/slow/a:v1`;
    const waits = { message: `The image ${dockerImage} is being pulled` };
    const [canceled, waiting] = [
      await place.run('echo a', { dockerImage }),
      await place.run('echo b', { dockerImage }),
    ];
    for (const id of [canceled, waiting]) await place.until(id, ({ status }) => status.message === waits.message);
    await cancelJob({ ...place.connection(), jobId: canceled });
    expect(await place.log(canceled)).toEqual([]);
    expect(await place.stop()).toBe(0);
    images.release();
    await place.restart();
    expect((await place.ended(waiting)).status.stage).toBe('COMPLETED');
    expect(await place.reasons(canceled)).toEqual(['Created', 'Starting', 'Waiting', 'Canceled']);
    expect(await place.container(canceled)).toBeUndefined();
  });
});
