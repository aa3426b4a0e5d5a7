import { readFile } from 'node:fs/promises';
import { getJob, runJob } from '@moonbase/client/jobs';
import { listScheduledJobs } from '@moonbase/client/scheduled-jobs';
import { listWebhooks } from '@moonbase/client/webhooks';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { agree } from './visitor.ts';
import { person, startWorld, tokenOf, until } from './world.ts';

describe.skipIf(noBrowser)('jobs', () => {
  const on = stage(startWorld);
  beforeAll(async () => {
    await on.world.apply({ users: [person('alice'), person('bob')] });
  });
  const run = (script: string) =>
    runJob({
      ...on.world.as('alice'),
      namespace: 'alice',
      job: { dockerImage: 'busybox', command: ['sh', '-c', script], flavor: 'cpu-basic' },
    });

  test('are listed, show their log live, are cancelled and run again', async () => {
    const { id } = await run('echo "<b>hello</b>"; while :; do sleep 0.1; done');
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/jobs');
    await page.getByRole('list', { name: 'Jobs' }).getByRole('link', { name: 'busybox' }).click();
    await page.getByRole('region', { name: 'Lines' }).getByText('<b>hello</b>').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await agree(page, 'Cancel busybox?', 'Cancel the job');
    await page.getByText('End of the log').waitFor();
    await until(
      () => getJob({ ...on.world.as('alice'), namespace: 'alice', jobId: id }),
      ({ status }) => status.stage === 'CANCELED',
    );
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.waitForURL((url) => !url.pathname.includes(id));
    await page.getByRole('region', { name: 'Lines' }).getByText('<b>hello</b>').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await agree(page, 'Cancel busybox?', 'Cancel the job');
    await page.getByText('canceled').first().waitFor();
    await page.goto('/jobs?stage=COMPLETED');
    await page.getByText('No jobs').waitFor();
    expect(complaints).toEqual([]);
  });

  test('have a log with the colours of terminals, a search, times, and all of it to save', async () => {
    const lines = ['printf "\\033[32mgood\\033[0m news\\n"', 'printf "10 %%\\r20 %%\\n"', 'echo "the end"'];
    const { id } = await run(lines.join('; '));
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto(`/jobs/alice/${id}`);
    const log = page.getByRole('region', { name: 'Lines' });
    await page.getByText('End of the log').waitFor();
    const begin = /^===== Job started at [\d\-T:.]+Z =====\n/;
    expect((await log.innerText()).replace(begin, '')).toBe('good news\n20 %\nthe end\n');
    expect(await log.locator('[data-color=green]').innerText()).toBe('good');
    await page.getByRole('searchbox', { name: 'Search in the log' }).fill('NEWS');
    await page.getByText('1 of the last 4 lines').waitFor();
    expect(await log.innerText()).toBe('good news\n');
    await page.getByRole('switch', { name: 'Times' }).check({ force: true });
    await expect.poll(() => log.innerText()).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z good news\n$/);
    await expectAccessible(page);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`${id}.log`);
    const saved = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n');
    expect(saved.slice(1).map((line) => line.replace(/^\S+ /, ''))).toEqual(['good news', '20 %', 'the end']);
    expect(complaints).toEqual([]);
  });

  test('are started with a form that shows refusals of the hub', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/jobs');
    await page.getByRole('link', { name: 'New job' }).click();
    await page.getByRole('textbox', { name: 'Image' }).fill('Not An Image');
    await page.getByRole('textbox', { name: 'Command' }).fill(`sh -c 'echo "$GREETING, $0"'`);
    await page.getByRole('textbox', { name: 'Arguments' }).fill('moon');
    await page.getByRole('textbox', { name: 'Environment' }).fill('GREETING=good evening');
    await page.getByRole('textbox', { name: 'Labels' }).fill('team=moon');
    await page.getByRole('textbox', { name: 'Attempts' }).fill('2');
    await page.getByRole('combobox', { name: 'Hardware' }).click();
    await page.getByRole('option', { name: 'cpu-upgrade', exact: true }).click();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText(/not an image reference/).waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Image' }).getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Image' }).fill('busybox');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('region', { name: 'Lines' }).getByText('good evening, moon').waitFor();
    const jobId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await getJob({ ...on.world.as('alice'), namespace: 'alice', jobId })).toMatchObject({
      command: ['sh', '-c', 'echo "$GREETING, $0"'],
      flavor: 'cpu-upgrade',
      labels: { team: 'moon' },
      retry: 1,
    });
    await page.getByText('team=moon').waitFor();
    await page.getByRole('row', { name: /Requested hardware cpu-upgrade/ }).waitFor();
    await page.getByRole('row', { name: /Progress attempt 1 of 2/ }).waitFor();
    await page.getByRole('row', { name: /(Elapsed|Took) \d/ }).waitFor();

    // A webhook starts the same job at each event.
    await page.getByRole('link', { name: 'Trigger from webhook' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Job', exact: true }).inputValue()).toBe(jobId);
    await page.getByRole('combobox', { name: 'Add something to watch' }).fill('alice');
    await page.getByRole('option', { name: 'user: alice' }).click();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('heading', { name: 'Job: busybox' }).waitFor();
    const [webhook] = await listWebhooks(on.world.as('alice'));
    expect(webhook).toMatchObject({ jobSourceId: jobId, job: { labels: { team: 'moon' } } });
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Job', exact: true }).fill('000000000000000000000000');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    expect((await listWebhooks(on.world.as('alice')))[0]?.jobSourceId).toBe(jobId);
    expect(complaints).toEqual([]);
  });

  test('are started by a schedule and at once; a schedule is suspended and deleted', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    const schedules = async () => {
      const found = [];
      for await (const each of listScheduledJobs({ ...on.world.as('alice'), namespace: 'alice' })) found.push(each);
      return found;
    };
    await page.goto('/jobs/schedules');
    await page.getByText('No schedules').waitFor();
    await page.getByRole('link', { name: 'New job' }).click();
    await page.getByRole('textbox', { name: 'Image' }).fill('busybox');
    await page.getByRole('textbox', { name: 'Command' }).fill('sh -c "echo by the clock; while :; do sleep 0.1; done"');
    await page.getByRole('textbox', { name: 'Schedule' }).fill('every monday');
    await page.getByRole('button', { name: 'Schedule' }).click();
    await until(
      () => page.getByRole('textbox', { name: 'Schedule' }).getAttribute('aria-invalid'),
      (invalid) => invalid === 'true',
    );
    await page.getByRole('textbox', { name: 'Schedule' }).fill('@monthly');
    await page.getByRole('button', { name: 'Schedule' }).click();
    const list = page.getByRole('list', { name: 'Schedules' });
    await list.getByText('active').waitFor();
    expect(await schedules()).toMatchObject([{ schedule: '@monthly', suspend: false, concurrency: false }]);

    await page.getByRole('button', { name: 'Run now: busybox' }).click();
    await page.getByRole('region', { name: 'Lines' }).getByText('by the clock').waitFor();
    const { pathname } = new URL(page.url());
    await page.goto('/jobs/schedules');
    await expect.poll(() => list.getByRole('link', { name: 'last run' }).getAttribute('href')).toBe(pathname);
    await page.getByRole('button', { name: 'Run now: busybox' }).click();
    await page.getByRole('alert').filter({ hasText: 'already running' }).waitFor();
    await page.getByRole('button', { name: 'Suspend busybox' }).click();
    await list.getByText('suspended').waitFor();
    expect((await schedules())[0]?.suspend).toBe(true);
    await page.getByRole('button', { name: 'Resume busybox' }).click();
    await list.getByText('active').waitFor();
    await page.getByRole('button', { name: 'Delete busybox' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No schedules').waitFor();
    expect(await schedules()).toEqual([]);
    await page.goto(pathname);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await agree(page, 'Cancel busybox?', 'Cancel the job');
    await page.getByText('canceled').first().waitFor();
    expect(complaints).toEqual([]);
  });

  test('of others are not found', async () => {
    const { id } = await run('true');
    await using visitor = await on.visit({ token: tokenOf('bob') });
    await visitor.page.goto(`/jobs/alice/${id}`);
    await visitor.page.getByText(/Not found|No permission/).waitFor();
  });
});
