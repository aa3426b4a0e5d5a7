import { createCommit, maintainRepo } from '@moonbase/client/content';
import { createDiscussion } from '@moonbase/client/discussions';
import { createRepo } from '@moonbase/client/repositories';
import { getMetrics } from '@moonbase/client/service';
import { createWebhook } from '@moonbase/client/webhooks';
import { expect, test } from 'vitest';
import { countingOutbound } from './fuzz/counting-outbound.ts';
import { hasGit } from './git-folder.ts';
import { startHub } from './harness.ts';
import { engine } from './test-database.ts';

/** Returns the values of a metric by its labels. */
function values(text: string, name: string): Record<string, number> {
  const lines = text.split('\n').flatMap((line) => [...line.matchAll(/^([a-z_]+)(?:\{(.*)\})? (\S+)$/g)]);
  return Object.fromEntries(
    lines.filter(([, found]) => found === name).map(([, , labels = '', value]) => [labels, Number(value)]),
  );
}

test('requests, events, deliveries and queue lengths are counted', async () => {
  await using hub = await startHub({}, { outbound: countingOutbound() });
  await hub.people('ada');
  const ada = hub.as('ada');
  await createRepo({ ...ada, type: 'model', repo: 'ada/x' });
  const watched = [{ type: 'user' as const, name: 'ada' }];
  await createWebhook({ ...ada, webhook: { watched, url: 'https://example.com/', domains: ['discussion'] } });
  await hub.drain();
  await createDiscussion({ ...ada, type: 'model', repo: 'ada/x', title: 'News', description: 'See.' });
  hub.clock.advance(3000);
  const before = await getMetrics(hub.admin);
  expect(values(before, 'moonbase_queue_waiting')['queue="events"']).toBeGreaterThan(0);
  expect(values(before, 'moonbase_queue_oldest_due_seconds')['queue="events"']).toBe(3);
  await hub.drain();
  const after = await getMetrics(hub.admin);
  expect(values(after, 'moonbase_http_requests_total')).toMatchObject({
    'operation="createDiscussion",status="200"': 1,
    'operation="createRepo",status="200"': 1,
  });
  expect(values(after, 'moonbase_delivery_attempt_duration_seconds_count')).toEqual({ 'answer="2xx"': 1 });
  expect(values(after, 'moonbase_queue_waiting')).toMatchObject({ 'queue="events"': 0, 'queue="deliveries"': 0 });
  expect(Object.keys(values(after, 'moonbase_queue_waiting')).sort()).toEqual(
    ['deliveries', 'events', 'jobs', 'mails', 'mirrors', 'tasks'].map((queue) => `queue="${queue}"`),
  );
  expect(values(after, 'moonbase_dead_letters')).toMatchObject({ 'queue="events"': 0, 'queue="jobs"': 0 });
  expect(values(after, 'moonbase_event_reaction_delay_seconds_count')['']).toBeGreaterThan(0);
  expect(Object.keys(values(after, 'moonbase_database_connections'))).toHaveLength(engine === 'postgres' ? 3 : 0);
  expect(values(after, 'process_cpu_seconds_total')['']).toBeGreaterThan(0);
});

test.skipIf(!hasGit)('maintenance of git folders is counted', async () => {
  await using hub = await startHub({}, { background: true });
  await hub.people('ada');
  const repo = { type: 'model', repo: 'ada/x' } as const;
  await createRepo({ ...hub.as('ada'), ...repo });
  const operations = new Blob([JSON.stringify({ summary: 'change', files: [{ path: 'a', content: 'a' }] })], {
    type: 'application/json',
  });
  await createCommit({ ...hub.as('ada'), ...repo, branch: 'main', operations });
  await maintainRepo({ ...hub.admin, ...repo });
  const runs = async () => values(await getMetrics(hub.admin), 'moonbase_git_maintenance_duration_seconds_count');
  await expect.poll(runs).toEqual({ 'outcome="succeeded"': 1 });
  const text = await getMetrics(hub.admin);
  expect(values(text, 'moonbase_git_maintenance_failing')).toEqual({ 'state="retried"': 0, 'state="set-aside"': 0 });
  expect(values(text, 'moonbase_git_maintenance_bytes_saved_total')['']).toBeGreaterThanOrEqual(0);
});

test('undeclared paths share one series, and no path, name or token appears', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  for (const path of ['/nowhere', '/api/models/ada/secret-name', '/api/settings/webhooks?token=hf_inTheUrl'])
    await fetch(hub.url + path);
  const text = await getMetrics(hub.admin);
  expect(values(text, 'moonbase_http_requests_total')['operation="none",status="404"']).toBe(1);
  expect(text).not.toMatch(/nowhere|secret-name|hf_|ada/);
});

// The rules of `promtool check metrics` and of https://prometheus.io/docs/practices/naming.
test('names, types and units follow the conventions of Prometheus', async () => {
  await using hub = await startHub();
  const text = await getMetrics(hub.admin);
  const help = new Map([...text.matchAll(/^# HELP (\S+) (.+)$/gm)].map(([, name = '', what = '']) => [name, what]));
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({ name, type }));
  expect(types.length).toBeGreaterThan(40);
  const families = new Set(types.map(({ name }) => name));
  const samples = [...text.matchAll(/^([a-z_0-9]+)(?:\{.*\})? \S+$/gm)].map(([, name = '']) => name);
  expect(
    samples.filter((name) => !families.has(name) && !families.has(name.replace(/_(bucket|sum|count)$/, ''))),
  ).toEqual([]);
  for (const { name, type } of types) {
    expect(help.get(name), name).toMatch(/\w/);
    expect(name.endsWith('_total'), `${name} is a ${type}`).toBe(type === 'counter');
    expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(name).not.toMatch(
      /_(bucket|sum|count|info_total)$|_(ms|milliseconds|minutes|hours|days|[kmg]i?b|percent)(_|$)/,
    );
    if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes)$/);
  }
});

test('only site administrators can read them', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  await expect(getMetrics(hub.as('ada'))).rejects.toMatchObject({ status: 403 });
  await expect(getMetrics({ hubUrl: hub.url })).rejects.toMatchObject({ status: 401 });
  const answer = await fetch(`${hub.url}/metrics`, { headers: { authorization: `Bearer ${hub.admin.accessToken}` } });
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
});
