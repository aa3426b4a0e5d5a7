import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { createDiscussion } from '@moonbase/client/discussions';
import { runJob } from '@moonbase/client/jobs';
import { createScheduledJob } from '@moonbase/client/scheduled-jobs';
import { getDeliveryPage } from '@moonbase/client/webhooks';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { type Colours, PHONE } from './visitor.ts';
import { startTown, tokenOf, until } from './world.ts';

/** Set, pictures of all pages are written to docs/images. */
const PICTURES = process.env.MOONBASE_SCREENSHOTS === '1';
const MAX_BYTES = 100_000;
const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));

type Town = Awaited<ReturnType<typeof startTown>>;

/** Each page by the name of its picture: its address, whether somebody is signed in, what it waits for. */
const PAGES: Record<string, (town: Town) => string | Promise<string>> = {
  'sign-in': () => '/',
  inbox: () => '/inbox',
  'inbox-empty': () => '/inbox?repo=acme/nothing',
  discussion: () => '/acme/bert/discussions/1',
  webhooks: () => '/webhooks',
  'webhook-form': () => '/webhooks/new',
  'webhook-edit': ({ webhookId }) => `/webhooks/${webhookId}/edit`,
  'webhook-activity': ({ webhookId }) => `/webhooks/${webhookId}`,
  'webhook-delivery': async (town) => {
    const { entries } = await getDeliveryPage({ ...town.as('alice'), webhookId: town.webhookId });
    return `/webhooks/${town.webhookId}/deliveries/${entries[0]?.id}`;
  },
  job: async (town) => {
    const job = {
      dockerImage: 'python:3.12',
      command: ['sh', '-c', 'echo Loading the data; echo 3 of 3 done'],
      flavor: 'cpu-basic',
      environment: { EPOCHS: '3' },
    } as const;
    const { id } = await runJob({
      ...town.as('alice'),
      namespace: 'alice',
      job: { ...job, command: [...job.command] },
    });
    return `/jobs/alice/${id}`;
  },
  paper: async (town) => {
    await town.apply({
      papers: [{ id: '2401.01234', title: 'On moons', summary: 'Why.', authors: [{ name: 'Ada' }] }],
    });
    return '/papers/2401.01234';
  },
  jobs: () => '/jobs',
  'new-job': () => '/jobs/new',
  schedules: async (town) => {
    const jobSpec = { dockerImage: 'python:3.12', command: ['python', 'evaluate.py'], flavor: 'cpu-basic' } as const;
    const spec = { ...jobSpec, command: [...jobSpec.command] };
    await createScheduledJob({ ...town.as('alice'), namespace: 'alice', jobSpec: spec, schedule: '0 9 * * 1' });
    return '/jobs/schedules';
  },
  organizations: () => '/organizations',
  members: () => '/organizations/acme',
  'resource-groups': () => '/organizations/acme/resource-groups',
  roles: () => '/organizations/acme/roles',
  scim: () => '/organizations/acme/scim',
  access: () => '/organizations/acme/access?user=bob&repo=bert',
  tokens: () => '/organizations/acme/tokens',
  'audit-log': () => '/organizations/acme/audit-log',
  'notification-settings': () => '/settings',
  watching: () => '/settings/watching',
  'mcp-tools': () => '/settings/mcp',
  'paper-claims': () => '/settings/papers',
  'not-found': () => '/inbox/nothing',
  'admin-users': () => '/admin/users',
  'admin-organizations': () => '/admin/organizations',
  'admin-dead-letters': () => '/admin/dead-letters',
  'admin-health': async (town) => {
    town.receiver.status = 500;
    const where = { type: 'model', repo: 'acme/bert' } as const;
    await createDiscussion({ ...town.as('bob'), ...where, title: 'Is it lost?', description: 'It is.' });
    await until(
      () => getDeliveryPage({ ...town.as('alice'), webhookId: town.webhookId }),
      ({ entries }) => entries.some(({ responseStatus }) => responseStatus === 500),
    );
    return '/admin';
  },
};

describe.skipIf(noBrowser)('every page', () => {
  const on = stage(startTown);

  const cases = Object.keys(PAGES).flatMap((name) =>
    (['light', 'dark'] as const).map((colours) => [name, colours] as const),
  );

  test.each(cases)('%s (%s) can be used by everybody', async (name, colours) => {
    await using visitor = await on.visit({
      colours,
      ...(name !== 'sign-in' && { token: name.startsWith('admin-') ? on.world.admin.accessToken : tokenOf('alice') }),
    });
    const { page, complaints } = visitor;
    await page.goto((await PAGES[name]?.(on.world)) ?? '/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    const { violations } = await new AxeBuilder({ page }).analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(
      grave.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html.slice(0, 160), failureSummary])]),
    ).toEqual([]);
    expect(complaints).toEqual([]);
    if (PICTURES) await picture(page, name, colours);
    await page.setViewportSize(PHONE);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
  });
});

async function picture(page: Page, name: string, colours: Colours): Promise<void> {
  const bytes = await page.screenshot({ type: 'jpeg', quality: 80 });
  expect(bytes.length).toBeLessThan(MAX_BYTES);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}console-${name}-${colours}.jpg`, bytes);
}
