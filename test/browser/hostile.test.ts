import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCustomRole } from '@moonbase/client/custom-roles';
import { commentDiscussion, createDiscussion, renameDiscussion } from '@moonbase/client/discussions';
import { createInvitation } from '@moonbase/client/invitations';
import { getJob, runJob } from '@moonbase/client/jobs';
import { getNotificationPage } from '@moonbase/client/notifications';
import { updateOrganization } from '@moonbase/client/organizations';
import { claimPaper } from '@moonbase/client/papers';
import { addResourceGroupUsers, createResourceGroup } from '@moonbase/client/resource-groups';
import { createScheduledJob } from '@moonbase/client/scheduled-jobs';
import { createScimLink } from '@moonbase/client/scim-links';
import { createProvisionedGroup } from '@moonbase/client/scim-provisioning';
import { createWebhook, getDeliveryPage } from '@moonbase/client/webhooks';
import { beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from './chromium.ts';
import { HOSTILE, lookAt, MARKDOWN, MARKUP } from './hostile.ts';
import { stage } from './stage.ts';
import { person, startWorld, tokenOf, until } from './world.ts';

const NAMES = HOSTILE.map((_, at) => `mallory${at}`);
const BERT = { type: 'model', repo: 'acme/bert' } as const;

describe.skipIf(noBrowser)('markup that users write', () => {
  const on = stage(startWorld);

  beforeAll(async () => {
    const mallories = HOSTILE.map((fullname, at) => {
      const { tokens, ...mallory } = person(`mallory${at}`, fullname);
      return { ...mallory, tokens: tokens.map((token) => ({ ...token, name: fullname.slice(0, 99) })) };
    });
    await on.world.apply({
      users: [{ ...person('alice', HOSTILE[1]), admin: true }, person('dave'), ...mallories],
      organizations: [
        {
          name: 'acme',
          fullname: HOSTILE[0],
          plan: 'plus',
          members: [{ user: 'alice', role: 'admin' }, ...NAMES.map((user) => ({ user, role: 'write' as const }))],
        },
      ],
      repos: [{ name: 'acme/bert' }],
      papers: [{ id: '2401.01234', title: MARKUP, summary: MARKDOWN, authors: [{ name: HOSTILE[1] }] }],
      posts: [{ slug: 'post', author: 'alice', title: MARKUP }],
      articles: [{ slug: 'article', author: 'alice', title: MARKUP }],
    });
  });

  test('in threads, the inbox and webhooks is shown as text and never runs', async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(500, { 'x-note': MARKUP, 'content-type': 'text/html' }).end(MARKUP);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const alice = on.world.as('alice');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/?${encodeURIComponent(MARKUP)}`;
    const { webhook } = await createWebhook({
      ...alice,
      webhook: { url, watched: [{ type: 'org', name: 'acme' }], domains: ['repo', 'discussion'] },
    });
    const nums: number[] = [];
    for (const [at, title] of HOSTILE.entries()) {
      const by = { ...on.world.as(`mallory${at}`), ...BERT };
      const { num } = await createDiscussion({ ...by, title, description: `@alice ${MARKDOWN}` });
      await commentDiscussion({ ...by, num, comment: MARKDOWN });
      nums.push(num);
    }
    const [num = 1] = nums;
    await renameDiscussion({ ...on.world.as('mallory0'), ...BERT, num, title: `New ${MARKUP.slice(0, 190)}` });
    await until(
      () => getNotificationPage(alice),
      ({ count }) => count.all === HOSTILE.length,
    );
    const { entries } = await until(
      () => getDeliveryPage({ ...alice, webhookId: webhook.id }),
      (page) => page.entries.length >= 21 && page.entries.every(({ responseStatus }) => responseStatus === 500),
    );
    const scopes = entries.filter(
      ({ event }, at) => entries.findIndex((each) => each.event.scope === event.scope) === at,
    );
    await using visitor = await on.visit({ token: tokenOf('alice'), phone: true });
    await lookAt(visitor, on.world.url, [
      ['/inbox', HOSTILE[1], HOSTILE[9]],
      [`/inbox?repo=${encodeURIComponent(MARKUP)}`],
      ...nums.map((each) => [`/acme/bert/discussions/${each}`, '<img src=x onerror='] as const),
      ['/papers/2401.01234', '<img src=x onerror='],
      ['/posts/alice/post', '<img src=x onerror='],
      ['/blog/alice/article', '<img src=x onerror='],
      ['/webhooks'],
      [`/webhooks/${webhook.id}?repo=${encodeURIComponent(MARKUP)}`],
      [`/webhooks/${webhook.id}`],
      [`/webhooks/${webhook.id}/edit`],
      ...scopes.map(({ id }) => [`/webhooks/${webhook.id}/deliveries/${id}`, '<img src=x onerror='] as const),
    ]);
    server.close();
  });

  test('in organizations is shown as text and never runs', async () => {
    const alice = on.world.as('alice');
    const acme = { ...alice, organization: 'acme' };
    await updateOrganization({ ...alice, name: 'acme', change: { details: MARKUP } });
    const groupIds: string[] = [];
    for (const [at, text] of HOSTILE.entries()) {
      await createCustomRole({ ...acme, name: `role ${at}`, base: 'read', description: text });
      // The name of a role must not contain markup.
      await expect(createCustomRole({ ...acme, name: text.slice(0, 60), base: 'read' })).rejects.toThrow();
      const { id } = await createResourceGroup({ ...acme, name: text, description: text });
      groupIds.push(id);
      await addResourceGroupUsers({ ...acme, resourceGroupId: id, users: [{ user: `mallory${at}`, role: 'read' }] });
      const group = { displayName: text, members: [] };
      const { id: groupId } = await createProvisionedGroup({
        ...{ ...alice, name: 'acme' },
        group: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], ...group },
      });
      await createScimLink({ ...alice, name: 'acme', groupId, role: 'read' });
    }
    await claimPaper({ ...alice, paperId: '2401.01234' });
    await createInvitation({ ...alice, name: 'acme', user: 'dave', role: 'read' });
    await using invited = await on.visit({ token: tokenOf('dave'), phone: true });
    await lookAt(invited, on.world.url, [['/organizations', HOSTILE[0]]]);
    await using visitor = await on.visit({ token: tokenOf('alice'), phone: true });
    const at = '/organizations/acme';
    await lookAt(visitor, on.world.url, [
      ['/organizations', HOSTILE[0]],
      [at, ...HOSTILE],
      [`${at}/resource-groups`, ...HOSTILE],
      [`${at}/resource-groups/${groupIds[0]}`, HOSTILE[0], 'mallory0'],
      [`${at}/roles`, ...HOSTILE],
      [`${at}/tokens`, 'mallory9'],
      [`${at}/audit-log`, HOSTILE[1]],
      [`${at}/audit-log?q=${encodeURIComponent(MARKUP)}`],
      [`${at}/scim`, ...HOSTILE],
      [`${at}/access?user=${encodeURIComponent(MARKUP)}`],
      [`${at}/access?user=mallory1`, HOSTILE[1]],
      ['/admin'],
      ['/admin/users', ...HOSTILE],
      ['/admin/users/mallory1', HOSTILE[1]],
      [`/admin/users/${encodeURIComponent(MARKUP)}`],
      ['/settings/sign-in'],
      [`/admin/users?search=${encodeURIComponent(HOSTILE[1])}`, HOSTILE[1]],
      ['/admin/organizations', HOSTILE[0]],
      ['/settings/papers', HOSTILE[1]],
      ['/settings/watching'],
      [`/organizations/${encodeURIComponent(MARKUP)}`],
    ]);
  });

  test('in the output of jobs is shown as text and never runs', async () => {
    const alice = on.world.as('alice');
    const job = {
      dockerImage: 'busybox',
      command: ['sh', '-c', 'for text in "$@"; do echo "$text"; echo "$text" >&2; done', 'sh', ...HOSTILE],
      environment: { TEXT: MARKUP },
      labels: { of: 'mallory' },
      flavor: 'cpu-basic' as const,
    };
    await expect(runJob({ ...alice, namespace: 'alice', job: { ...job, labels: { of: MARKUP } } })).rejects.toThrow();
    await expect(runJob({ ...alice, namespace: 'alice', job: { ...job, dockerImage: MARKUP } })).rejects.toThrow();
    const { id: jobId } = await runJob({ ...alice, namespace: 'alice', job });
    await until(
      () => getJob({ ...alice, namespace: 'alice', jobId }),
      ({ status }) => status.stage === 'COMPLETED',
    );
    const { webhook } = await createWebhook({
      ...alice,
      webhook: { job, watched: [{ type: 'user', name: 'alice' }], domains: ['repo'] },
    });
    const schedule = { jobSpec: job, schedule: '@yearly', namespace: 'alice' };
    await createScheduledJob({ ...alice, ...schedule });
    await expect(createScheduledJob({ ...alice, ...schedule, schedule: MARKUP })).rejects.toThrow();
    await using visitor = await on.visit({ token: tokenOf('alice'), phone: true });
    await lookAt(visitor, on.world.url, [
      ['/jobs', HOSTILE[1]],
      ['/jobs/schedules', HOSTILE[1]],
      [`/webhooks/new?job=${encodeURIComponent(MARKUP)}`],
      [`/jobs/alice/${jobId}`, 'End of the log', ...HOSTILE],
      [`/jobs?owner=${encodeURIComponent(MARKUP)}`],
      [`/webhooks/${webhook.id}/edit`],
    ]);
    const lines = await (async () => {
      await visitor.page.goto(`/jobs/alice/${jobId}`);
      await visitor.page.getByText('End of the log').waitFor();
      return visitor.page.getByRole('region', { name: 'Lines' }).innerText();
    })();
    for (const text of HOSTILE) expect(lines).toContain(text);
  });
});
