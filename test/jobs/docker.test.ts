import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Place, startPlace } from './place.ts';

const engine = inject('engine');

describe.skipIf('reason' in engine)('jobs as containers', () => {
  let place: Place;
  beforeAll(async () => {
    if ('socket' in engine) place = await startPlace(engine);
  });
  afterAll(() => place[Symbol.asyncDispose]());

  test('a job runs, and what it wrote to both outputs is in its log in order', async () => {
    const id = await place.run('for i in 1 2 3; do echo out $i; sleep 0.1; echo err $i >&2; sleep 0.1; done; printf end');
    expect((await place.ended(id)).status).toMatchObject({ stage: 'COMPLETED' });
    expect(await place.log(id)).toEqual(['out 1', 'err 1', 'out 2', 'err 2', 'out 3', 'err 3', 'end']);
    expect(await place.container(id)).toBeUndefined();
  });

});
