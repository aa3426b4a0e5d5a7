import { createDiscussion, getDiscussion, listDiscussions } from '@moonbase/client/discussions';
import { changeMemberRole } from '@moonbase/client/members';
import { deleteRepo } from '@moonbase/client/repositories';
import { endUserSessions } from '@moonbase/client/sessions';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { givePassword, signIn } from './people.ts';
import { serveReleases } from './releases.ts';
import { stage } from './stage.ts';
import { startFilledWorld, tokenOf } from './world.ts';

const BERT = { type: 'model', repo: 'acme/bert' } as const;
const THREAD = '/acme/bert/discussions/1';
/** A mobile connection far from a city: 400 kbit/s, and 400 ms to the hub and back. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const MAX_SHIFT = 0.1;

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
const open = (page: Page, entry: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: entry }).click();
const answerOn = (page: Page) => page.getByRole('textbox', { name: 'Answer' });
const comment = (page: Page) => page.getByRole('button', { name: 'Comment', exact: true });
/** The complaints that are more than a connection that broke. */
const beyondTheNetwork = (complaints: readonly string[]) => complaints.filter((text) => !text.includes('net::ERR_'));

/** Returns the questions that a page asked before it was left; it stays. */
function questionsOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  return asked;
}

describe.skipIf(noBrowser)('a page that stays open', () => {
  const on = stage(startFilledWorld);
  beforeAll(() => givePassword(on.world, 'bob'));
  const texts = async () =>
    (await getDiscussion({ ...on.world.as('alice'), ...BERT, num: 1 })).events.flatMap((event) =>
      event.type === 'comment' ? event.data.latest.raw : [],
    );

  test('loads the new version when the hub is updated, and keeps what is written', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    const asked = questionsOf(page);
    const releases = await serveReleases(page.context());
    const version = () => page.evaluate('/r\\d+(?=\\.js)/.exec(document.querySelector("script[type=module]").src)[0]');
    await page.goto('/inbox');
    await heading(page, 'Inbox');
    releases.update();
    await open(page, 'Jobs');
    await heading(page, 'Jobs');
    expect(await version()).toBe('r2');

    await page.goto(THREAD);
    await answerOn(page).fill('Half a **thought**');
    releases.update();
    // The script of the preview is gone: the page is loaded again with its text.
    await page.evaluate('sessionStorage.removeItem("moonbase.reloaded")');
    await page.getByRole('button', { name: 'Preview' }).click();
    await expect.poll(version).toBe('r3');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('region', { name: 'Preview of Answer' }).getByText('thought').waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();

    await on.world.restart(async () => {
      await page.getByText('The hub is out of reach; trying again.').waitFor();
      await expectAccessible(page);
      releases.update();
    });
    const update = page.getByRole('button', { name: 'Load the new version' });
    await update.waitFor();
    await expectAccessible(page);
    await update.click();
    await expect.poll(version).toBe('r4');
    await expect.poll(() => answerOn(page).inputValue()).toBe('Half a **thought**');
    expect(await readStored(page)).not.toContain('thought');
    await comment(page).click();
    await page.getByRole('article').filter({ hasText: 'Half a thought' }).waitFor();
    expect([asked, beyondTheNetwork(complaints)]).toEqual([[], []]);
  });

  test('on a slow network shows that it loads, moves nothing, and sends a form once', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.addInitScript(
      `window.shift = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value; })
        .observe({ type: 'layout-shift', buffered: true })`,
    );
    await page.goto('/inbox');
    await heading(page, 'Inbox');
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW);
    for (const entry of ['Explore', 'Webhooks', 'Jobs', 'Organizations', 'Settings']) {
      await page.evaluate('window.shift = 0');
      await open(page, entry);
      await page.locator('[aria-busy=true]').first().waitFor();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      expect([entry, Number(await page.evaluate('window.shift')) < MAX_SHIFT]).toEqual([entry, true]);
    }
    await page.goto('/acme/bert/discussions/new');
    await page.getByRole('textbox', { name: 'Title' }).fill('Only once');
    await page.getByRole('button', { name: 'Open discussion' }).dblclick();
    await heading(page, 'Only once');
    await answerOn(page).fill('Once as well');
    await comment(page).dblclick();
    await page.getByRole('article').filter({ hasText: 'Once as well' }).waitFor();
    const { discussions } = await listDiscussions({ ...on.world.as('alice'), ...BERT, search: 'Only once' });
    expect(discussions.map(({ numComments }) => numComments)).toEqual([2]);
    expect(complaints).toEqual([]);
  });

  test('offline says so, keeps what is written, and goes on by itself once the network is back', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    const other = await page.context().newPage();
    await other.goto('/inbox');
    await heading(other, 'Inbox');
    await page.goto(THREAD);
    await answerOn(page).fill('Written in a tunnel');
    await page.context().setOffline(true);
    const notice = page.getByRole('status').filter({ hasText: 'You are offline.' });
    await notice.waitFor();
    await comment(page).click();
    await page.getByRole('alert').filter({ hasText: 'Try again once you are back.' }).waitFor();
    expect(await answerOn(page).inputValue()).toBe('Written in a tunnel');
    await expectAccessible(page);
    // A page whose script was never loaded waits for it.
    await open(other, 'Jobs');
    await other.locator('[aria-busy=true]').first().waitFor();

    await page.context().setOffline(false);
    await notice.waitFor({ state: 'detached' });
    await heading(other, 'Jobs');
    await comment(page).click();
    await page.getByRole('article').filter({ hasText: 'Written in a tunnel' }).waitFor();
    expect(await answerOn(page).inputValue()).toBe('');
    expect((await texts()).filter((text) => text === 'Written in a tunnel').length).toBe(1);
    expect(beyondTheNetwork(complaints)).toEqual([]);
  });

  test('shares with other tabs what was changed, and not what is being written', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    const second = await page.context().newPage();
    for (const tab of [page, second]) await tab.goto(THREAD);
    await answerOn(page).fill('From the first tab');
    await answerOn(second).fill('From the second tab');
    await comment(page).click();
    await second.getByRole('article').filter({ hasText: 'From the first tab' }).waitFor();
    expect(await answerOn(second).inputValue()).toBe('From the second tab');
    await comment(second).click();
    await page.getByRole('article').filter({ hasText: 'From the second tab' }).waitFor();
    expect(await answerOn(page).inputValue()).toBe('');

    for (const tab of [page, second]) await tab.goto('/settings');
    const mail = (tab: Page) => tab.getByRole('switch', { name: 'Your papers, email' });
    const before = await mail(second).isChecked();
    await mail(page).click({ force: true });
    await second.bringToFront();
    await expect.poll(() => mail(second).isChecked()).toBe(!before);

    // Browsers open six connections to a host: one tab has the stream of all, and another follows when it closes.
    for (let more = 0; more < 5; more++) {
      const tab = await page.context().newPage();
      await tab.goto('/settings/mcp');
      await tab.getByRole('checkbox').first().waitFor();
    }
    const waiting = async () => Number(/^\((\d+)\)/.exec(await second.title())?.[1] ?? 0);
    await expect.poll(waiting).toBeGreaterThan(0);
    const unread = await waiting();
    await page.close();
    await createDiscussion({ ...on.world.as('bob'), ...BERT, title: 'To every tab', description: '@alice, look.' });
    await expect.poll(waiting).toBe(unread + 1);
    expect(complaints).toEqual([]);
  });

  test('says what the user may no longer do, or what is gone, and keeps what is written', async () => {
    const { world } = on;
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    await page.goto(THREAD);
    await signIn(page, 'bob');
    await answerOn(page).fill('In the middle of a sentence');
    await endUserSessions({ ...world.admin, username: 'bob' });
    await page.getByText('Your session has ended. Sign in again.').waitFor();
    await signIn(page, 'bob');
    await expect.poll(() => answerOn(page).inputValue()).toBe('In the middle of a sentence');
    await comment(page).click();
    await page.getByRole('article').filter({ hasText: 'In the middle of a sentence' }).waitFor();

    await page.goto('/acme/bert/settings');
    const settings = page
      .getByRole('navigation', { name: 'Parts of the repository' })
      .getByRole('link', { name: 'Settings' });
    await settings.waitFor();
    await changeMemberRole({ ...world.as('alice'), name: 'acme', username: 'bob', role: 'read' });
    await page.getByRole('button', { name: 'Make private' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Make private' }).click();
    await dialog.getByRole('heading', { name: 'No permission' }).waitFor();
    await page.keyboard.press('Escape');
    await settings.waitFor({ state: 'detached' });

    await page.goto('/datasets/acme/letters/discussions/1');
    await answerOn(page).fill('Nobody will read this');
    await deleteRepo({ ...world.as('alice'), type: 'dataset', repo: 'acme/letters' });
    await comment(page).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /not found/i })
      .waitFor();
    expect(await answerOn(page).inputValue()).toBe('Nobody will read this');
    await page.getByRole('alert').filter({ hasText: 'This no longer exists' }).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });
});

const readStored = (page: Page) => page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
