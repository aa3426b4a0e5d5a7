import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { commentDiscussion, createDiscussion, renameDiscussion } from '@moonbase/client/discussions';
import { getNotificationPage } from '@moonbase/client/notifications';
import { createWebhook, getDeliveryPage } from '@moonbase/client/webhooks';
import { describe, expect, test } from 'vitest';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { person, startWorld, tokenOf, until } from './world.ts';

const RUN = 'window.ran=(window.ran||0)+1';
const MARKUP = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}"></svg>`,
  `"><iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<a href="javascript:${RUN}">press</a>`,
  `{{constructor.constructor('${RUN}')()}}`,
].join(' ');
const MARKDOWN = [
  MARKUP,
  `[press](javascript:${RUN})`,
  `[press](  java&#115;cript:${RUN})`,
  `[press](data:text/html,<script>${RUN}</script>)`,
  `![x](x"onerror="${RUN})`,
  `<https://example.com/"onmouseover="${RUN}>`,
  `\`\`\`html\n${MARKUP}\n\`\`\``,
  `![picture](https://elsewhere.example/spy.png)`,
].join('\n\n');

describe.skipIf(noBrowser)('markup that people write', () => {
  const on = stage(startWorld);

  test('is shown and never runs', async () => {
    const mallory = { ...person('mallory', MARKUP.slice(0, 199)), email: undefined };
    await on.world.apply({
      users: [person('alice', MARKUP.slice(0, 199)), mallory].map(({ ...user }) => user),
      organizations: [{ name: 'acme', fullname: MARKUP.slice(0, 199), members: [{ user: 'alice', role: 'admin' }] }],
      repos: [{ name: 'acme/bert' }],
      papers: [{ id: '2401.01234', title: MARKUP, summary: MARKDOWN, authors: [{ name: MARKUP.slice(0, 199) }] }],
      posts: [{ slug: 'post', author: 'alice', title: MARKUP }],
    });
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
    const bert = { type: 'model', repo: 'acme/bert' } as const;
    const by = on.world.as('mallory');
    const { num } = await createDiscussion({ ...by, ...bert, title: MARKUP.slice(0, 190), description: MARKDOWN });
    await commentDiscussion({ ...by, ...bert, num, comment: `@alice ${MARKDOWN}` });
    await renameDiscussion({ ...by, ...bert, num, title: `New ${MARKUP.slice(0, 190)}` });
    await until(
      () => getNotificationPage(alice),
      ({ count }) => count.all === 1,
    );
    const one = { ...alice, webhookId: webhook.id };
    const { entries } = await until(
      () => getDeliveryPage(one),
      (page) => page.entries.length >= 2 && page.entries.every(({ responseStatus }) => responseStatus === 500),
    );

    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page } = visitor;
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(on.world.url)) elsewhere.push(request.url());
    });
    const paths = [
      '/inbox',
      `/inbox?repo=${encodeURIComponent(MARKUP)}`,
      `/acme/bert/discussions/${num}`,
      '/papers/2401.01234',
      '/posts/alice/post',
      '/webhooks',
      `/webhooks/${webhook.id}?repo=${encodeURIComponent(MARKUP)}`,
      `/webhooks/${webhook.id}`,
      `/webhooks/${webhook.id}/edit`,
      ...entries.map(({ id }) => `/webhooks/${webhook.id}/deliveries/${id}`),
    ];
    for (const path of paths) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      for (const link of await page.locator('main a').all())
        expect([path, await link.getAttribute('href')]).not.toEqual([path, expect.stringMatching(/^\s*(java|data)/i)]);
      expect([path, await page.evaluate('window.ran')]).toEqual([path, undefined]);
      expect([
        path,
        await page.locator('main :is(script, iframe, object, embed), main [onerror], main [onload]').count(),
      ]).toEqual([path, 0]);
    }
    // It is there to be read.
    await page.goto(`/acme/bert/discussions/${num}`);
    await page.getByText('<img src=x onerror=').first().waitFor();
    expect(elsewhere).toEqual([]);
    server.close();
  });
});
