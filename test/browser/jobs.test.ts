import { getJob, runJob } from '@moonbase/client/jobs';
import { beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
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

  test('are listed, tell their log as it comes, are cancelled and run again', async () => {
    const { id } = await run('echo "<b>hello</b>"; while :; do sleep 0.1; done');
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/jobs');
    await page.getByRole('list', { name: 'Jobs' }).getByRole('link', { name: 'busybox' }).click();
    await page.getByRole('region', { name: 'Lines' }).getByText('<b>hello</b>').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The end of the log').waitFor();
    await until(
      () => getJob({ ...on.world.as('alice'), namespace: 'alice', jobId: id }),
      ({ status }) => status.stage === 'CANCELED',
    );
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.waitForURL((url) => !url.pathname.includes(id));
    await page.getByRole('region', { name: 'Lines' }).getByText('<b>hello</b>').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('canceled').first().waitFor();
    await page.goto('/jobs?stage=COMPLETED');
    await page.getByText('No jobs').waitFor();
    expect(complaints).toEqual([]);
  });

  test('of others are not there', async () => {
    const { id } = await run('true');
    await using visitor = await on.visit({ token: tokenOf('bob') });
    await visitor.page.goto(`/jobs/alice/${id}`);
    await visitor.page.getByText(/Not found|No permission/).waitFor();
  });
});
