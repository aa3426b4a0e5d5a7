import {
  cancelJob,
  createScheduledJob,
  deleteScheduledJob,
  duplicateJob,
  getJob,
  HubApiError,
  runJob,
  runScheduledJob,
  streamJobEvents,
  streamJobLogs,
} from '@huggingface/hub';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PYTHON_CLIENTS } from './python-clients.ts';
import { startWorld, type World } from './world.ts';

let worlds: World[];
beforeAll(async () => {
  worlds = await Promise.all([startWorld(), startWorld()]);
});
afterAll(() => Promise.all(worlds.map((world) => world[Symbol.asyncDispose]())));

describe('huggingface_hub', () => {
  test.each(PYTHON_CLIENTS)('%s: runs, follows, cancels and schedules jobs', async (client) => {
    const previous = client === 'previous';
    await worlds[previous ? 1 : 0]!.python('jobs', { previous }, client);
  });
});

test('hf jobs runs, lists, logs and inspects jobs', async () => {
  const [world] = worlds as [World];
  const ran = await world.hf('bob', ['jobs', 'run', '--label', 'cli', 'python:3.12', 'echo', 'hello']);
  expect(ran).toMatchObject({ status: 0 });
  expect(ran.stdout).toContain('hello');
  const rows = (await world.hfJson('bob', 'jobs', 'ps', '-a')) as { id: string }[];
  expect(rows).toHaveLength(1);
  const logs = await world.hf('bob', ['jobs', 'logs', rows[0]!.id]);
  expect(logs.stdout).toContain('hello');
  expect(await world.hfJson('bob', 'jobs', 'inspect', rows[0]!.id)).toMatchObject([{ id: rows[0]!.id }]);
});

test('@huggingface/hub runs, reads, cancels, duplicates and schedules jobs', async () => {
  const [world] = worlds as [World];
  const as = { ...world.as('bob'), namespace: 'bob' };
  const specification = { dockerImage: 'python:3.12', flavor: 'cpu-basic', environment: {} } as const;
  const job = await runJob({ ...as, ...specification, command: ['echo', 'hello'] });
  const lines: string[] = [];
  for await (const line of streamJobLogs({ ...as, jobId: job.id }) as AsyncIterable<unknown>)
    lines.push(JSON.stringify(line));
  expect(lines.join()).toContain('hello');
  const events: unknown[] = [];
  for await (const event of streamJobEvents({ ...as, jobId: job.id })) events.push(event);
  expect(events).toHaveLength(4);
  expect(await getJob({ ...as, jobId: job.id })).toMatchObject({ status: { stage: 'COMPLETED' } });

  const again = await duplicateJob({ ...as, jobId: job.id });
  await cancelJob({ ...as, jobId: again.id });
  const scheduled = await createScheduledJob({
    ...as,
    jobSpec: { ...specification, command: ['sleep', '600'] },
    schedule: '@daily',
  });
  const run = await runScheduledJob({ ...as, jobId: scheduled.id });
  expect(run).toMatchObject({ initiator: { type: 'scheduled-job', id: scheduled.id } });
  expect(await runScheduledJob({ ...as, jobId: scheduled.id })).toBeNull();
  await cancelJob({ ...as, jobId: run!.id });
  await deleteScheduledJob({ ...as, jobId: scheduled.id });
  await expect(getJob({ ...as, jobId: '0'.repeat(24) })).rejects.toThrow(HubApiError);
});
