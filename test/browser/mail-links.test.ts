import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { signIn as signInByProgram } from '@moonbase/client/authentication';
import { afterAll, describe, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../packages/server/test/smtp-server.ts';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { givePassword, passwordOf, signIn } from './people.ts';
import { stage } from './stage.ts';
import { agree } from './visitor.ts';
import { person, startWorld } from './world.ts';

const PASSWORD = 'nine loud magpies and a kite';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe.skipIf(noBrowser)('links in mails', () => {
  let mail: MailServer;
  const on = stage(async () => {
    mail = await startMailServer();
    const port = await freePort();
    const world = await startWorld({
      MOONBASE_PORT: String(port),
      MOONBASE_PUBLIC_URL: `http://127.0.0.1:${port}`,
      MOONBASE_JOBS_RUNNER: '',
      MOONBASE_SMTP_URL: mail.url,
      MOONBASE_MAIL_FROM: 'Moonbase <hub@example.com>',
      MOONBASE_SIGN_UP: 'example.com',
    });
    await world.apply({ users: [{ ...person('alice'), email: 'alice@example.com' }, person('bob')] });
    for (const user of ['alice', 'bob']) await givePassword(world, user);
    return world;
  });
  afterAll(() => mail?.[Symbol.asyncDispose]());

  /** Returns the link in the next mail to an address. */
  async function linkTo(address: string): Promise<string> {
    let link: string | undefined;
    await expect
      .poll(() => {
        for (const { envelope, text } of mail.received())
          if (envelope.to.includes(address)) link ??= /http:\S+\/join\/[\w-]+/.exec(text ?? '')?.[0];
        return link;
      })
      .toBeDefined();
    return link ?? '';
  }

  test('set another password, whoever asked, and do not reveal who has an account (rows 24, 26)', async () => {
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    const answers: string[] = [];
    for (const name of ['nobody@example.com', 'alice@example.com']) {
      await page.goto('/login?return_to=/webhooks');
      await page.getByRole('button', { name: 'Forgot the password?' }).click();
      await expectAccessible(page);
      await page.getByRole('textbox', { name: 'User name or e-mail address' }).fill(name);
      await page.getByRole('button', { name: 'Send the link' }).click();
      const told = page.getByRole('status').filter({ hasText: 'Look into your mail' });
      answers.push((await told.innerText()).replace(name, ''));
    }
    expect(answers[0]).toBe(answers[1]);
    const link = await linkTo('alice@example.com');
    expect(link).toContain(on.world.url);
    for (const method of ['HEAD', 'GET']) expect((await fetch(link, { method })).status).toBe(200);
    await page.goto(link);
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await page.getByLabel('New password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await signInByProgram({ hubUrl: on.world.url, name: 'alice@example.com', password: PASSWORD });
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('create an account for whoever signs up, and answer alike for an address that an account has', async () => {
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    const answers: string[] = [];
    for (const address of ['alice@example.com', 'carol@example.com']) {
      await page.goto('/login');
      await page.getByRole('link', { name: 'Create an account' }).click();
      await page.getByRole('heading', { name: 'Create an account' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('textbox', { name: 'E-mail address' }).fill(address);
      await page.getByRole('button', { name: 'Send the link' }).click();
      const told = page.getByRole('status').filter({ hasText: 'Look into your mail' });
      answers.push((await told.innerText()).replace(address, ''));
    }
    expect(answers[0]).toBe(answers[1]);
    await page.goto(await linkTo('carol@example.com'));
    await page.getByRole('heading', { name: 'Welcome to Moonbase' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'User name' }).fill('carol');
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await signInByProgram({ hubUrl: on.world.url, name: 'carol@example.com', password: PASSWORD });
    expect(complaints).toEqual([]);
  });

  test('confirm an e-mail address only after a click on a button (row 26)', async () => {
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    await page.goto('/settings/sign-in');
    await signIn(page, 'bob');
    const section = page.getByRole('region', { name: 'E-mail address' });
    await section.getByText('You have none.').waitFor();
    await section.getByRole('textbox', { name: 'New address' }).fill('bob@example.com');
    await section.getByRole('button', { name: 'Send the link' }).click();
    await section.getByText('A link has been mailed to bob@example.com.').waitFor();
    const link = await linkTo('bob@example.com');

    // The reader of the mail need not be signed in.
    await using reader = await on.visit();
    await reader.page.goto(link);
    await reader.page.getByText('bob@example.com will be the address of the user bob').waitFor();
    await expectAccessible(reader.page);
    await page.reload();
    await section.getByText('You have none.').waitFor();
    await reader.page.getByRole('button', { name: 'Confirm' }).click();
    await reader.page.getByText('bob@example.com is the address of bob.').waitFor();
    await page.reload();
    await section.getByText('confirmed').waitFor();
    await signInByProgram({ hubUrl: on.world.url, name: 'bob@example.com', password: passwordOf('bob') });
    await section.getByRole('button', { name: 'Remove the address' }).click();
    await agree(page, 'Remove bob@example.com?', 'Remove');
    await section.getByText('You have none.').waitFor();
    expect([...complaints, ...reader.complaints]).toEqual([]);
  });
});
