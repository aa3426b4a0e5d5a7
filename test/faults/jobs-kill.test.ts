import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JobInfo, listJobs, runJob, streamJobEvents, streamJobLogs } from '@moonbase/client/jobs';
import { expect, test } from 'vitest';
import { collect } from '../../packages/server/test/harness.ts';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { startHubProcess } from '../hub-process.ts';
import { pause, seeded } from './pace.ts';

const KILLS = 10;
const JOBS = 50;
const LINES = 150;
const ACCESS_TOKEN = 'hf_tokenOfTheFaultTestsWithEnoughLetters';
/** On PostgreSQL, where other processes may be working, a killed process counts as dead after 10 s. */
const MAX_WAIT_MS = 300_000;

/** The script marks its begin and end with its process id; every fifth job fails once at its end. */
const SCRIPT = `
echo "$JOB_ID begins $$" >> "$DIR/marks"
sleep 1000 &
for at in $(seq ${LINES}); do echo "line $at"; sleep 0.1; done
echo "$JOB_ID ends $$" >> "$DIR/marks"
[ "$FAILS" = 0 ] || [ "$(grep -c "$JOB_ID begins" "$DIR/marks")" -ge 2 ]
`;

/** Returns the processes whose environment names the folder of this test. */
function leftRunning(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DIR=${folder}\0`);
    } catch {
      return false;
    }
  });
}

const lines = async (path: string) => (await readFile(path, 'utf8').catch(() => '')).split('\n').filter(Boolean);
const ended = (job: JobInfo) => ['COMPLETED', 'CANCELED', 'ERROR'].includes(job.status.stage);

test(`${KILLS} kills while ${JOBS} jobs start and ${KILLS} while they run: each ends once, no attempt runs twice, no log is torn (${engine})`, async () => {
  const random = seeded(7);
  const startedAt = Date.now();
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-jobs-kill-'));
  await using database = await createTestDatabase();
  const settings = {
    ...(engine === 'postgres' && database.environment),
    MOONBASE_DATA_DIR: join(folder, 'data'),
    MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
    MOONBASE_JOBS_RUNNER: 'process',
    MOONBASE_MAX_RUNNING_JOBS: String(JOBS),
    MOONBASE_MAX_RUNNING_JOBS_PER_OWNER: String(JOBS),
  };
  let hub = await startHubProcess(settings);
  const connection = () => ({ hubUrl: hub.url, accessToken: ACCESS_TOKEN, namespace: 'admin' });
  const restart = async () => {
    await hub.kill();
    hub = await startHubProcess(settings);
  };
  try {
    const submit = (at: number) =>
      runJob({
        ...connection(),
        job: {
          dockerImage: 'python:3.12',
          command: ['/bin/sh', '-c', SCRIPT],
          flavor: 'cpu-basic',
          attempts: 3,
          environment: { DIR: folder, FAILS: at % 5 === 0 ? '1' : '0' },
        },
      });
    // The kills come while jobs start, which is when they do most harm, and then while all of them run.
    for (let at = 0; at < JOBS; ) {
      await Promise.all(Array.from({ length: JOBS / KILLS }, () => submit(at++)));
      await pause(50 * random());
      await restart();
    }
    for (let kill = 0; kill < KILLS; kill++) {
      await pause(50 + 600 * random());
      await restart();
    }

    const all = () => collect(listJobs(connection()));
    let jobs = await all();
    for (const deadline = Date.now() + MAX_WAIT_MS; !jobs.every(ended) && Date.now() < deadline; ) {
      await pause(300);
      jobs = await all();
    }
    const marks = (await lines(join(folder, 'marks'))).map((line) => line.split(' '));
    const marksOf = (id: string) => marks.filter(([job]) => job === id);
    const begun = marks.filter(([, what]) => what === 'begins').length;
    const took = Math.round((Date.now() - startedAt) / 1000);
    console.log(`${jobs.length} jobs, ${begun} attempts, ${2 * KILLS} kills, ${took} s (${engine})`);

    expect(jobs).toHaveLength(JOBS);
    expect(jobs.filter(({ status }) => status.stage !== 'COMPLETED').map(({ status }) => status)).toEqual([]);
    for (const { id, status, environment } of jobs) {
      const attempts = environment.FAILS === '1' ? 2 : 1;
      expect(status.failureCount).toBe(attempts - 1);
      // The attempts of a job follow each other, each from begin to end.
      const own = marksOf(id);
      expect(own.map(([, what]) => what)).toEqual(Array(attempts).fill(['begins', 'ends']).flat());
      for (let at = 0; at < own.length; at += 2) expect(own[at]?.[2]).toBe(own[at + 1]?.[2]);
      const reasons = (await collect(streamJobEvents({ ...connection(), jobId: id }))).map(({ reason }) => reason);
      expect(reasons.filter((reason) => reason === 'Completed' || reason === 'Failed')).toHaveLength(attempts);
      expect(reasons.filter((reason) => ['Completed', 'Canceled', 'TimedOut'].includes(reason))).toEqual(['Completed']);
      expect(reasons.at(-1)).toBe('Completed');
      const log = (await collect(streamJobLogs({ ...connection(), jobId: id }))).map(({ data }) => data);
      const attempt = ['start', ...Array.from({ length: LINES }, (_, at) => `line ${at + 1}`)];
      expect(log.map((line) => (line.startsWith('=====') ? 'start' : line))).toEqual(
        Array(attempts).fill(attempt).flat(),
      );
    }
    expect(leftRunning(folder)).toEqual([]);
    expect(readdirSync(join(folder, 'data', 'jobs'))).toEqual([]);
    expect(await hub.stop()).toBe(0);
  } finally {
    await hub.kill();
    await rm(folder, { recursive: true, force: true });
  }
});
