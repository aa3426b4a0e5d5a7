import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createApplication } from '@moonbase/client/applications';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from './chromium.ts';
import { givePassword, signIn } from './people.ts';
import { stage } from './stage.ts';
import { agree } from './visitor.ts';
import { person, startWorld } from './world.ts';

const COMMAND_LINE_ID = '26be6b09-91c5-47da-9861-d2d2bb7a7e36';

/** A hub behind a proxy, which answers pages of other origins. */
const BEHIND_PROXY = {
  MOONBASE_TRUSTED_PROXIES: '10.0.0.1',
  MOONBASE_JOBS_RUNNER: 'none',
};

/** Starts a site of another origin whose page signs its visitors in at the hub, with the library of the public hub. */
async function startSite(hubUrl: () => string) {
  const { outputFiles } = await build({
    entryPoints: [
      fileURLToPath(new URL('../../node_modules/@huggingface/hub/dist/browser/index.mjs', import.meta.url)),
    ],
    ...{ bundle: true, format: 'esm', platform: 'browser', write: false, logLevel: 'error' },
  });
  let clientId = '';
  const script = () => `
    import { oauthLoginUrl, oauthHandleRedirectIfPresent } from '/hub.js';
    const hubUrl = ${JSON.stringify(hubUrl())};
    try {
      const result = await oauthHandleRedirectIfPresent({ hubUrl });
      if (result) document.title = 'Hello ' + result.userInfo.preferred_username + ' ' + result.accessToken.slice(0, 9) + ' ' + result.state;
      else location.href = await oauthLoginUrl({
        clientId: ${JSON.stringify(clientId)}, hubUrl, scopes: 'openid profile',
        redirectUrl: location.origin + '/callback', state: 'kept & whole',
      });
    } catch (error) { document.title = 'Failed: ' + error; }`;
  const server = createServer(({ url = '/' }, response) => {
    const path = url.split('?')[0];
    if (path === '/hub.js') response.setHeader('content-type', 'text/javascript').end(outputFiles[0]?.text);
    else if (path === '/app.js') response.setHeader('content-type', 'text/javascript').end(script());
    else response.setHeader('content-type', 'text/html').end('<script type="module" src="/app.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    signInWith(id: string) {
      clientId = id;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.skipIf(noBrowser)('applications', () => {
  const on = stage(() => startWorld(BEHIND_PROXY));
  beforeAll(async () => {
    await on.world.apply({
      users: [person('alice', 'Alice Moreau')],
      organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
    });
    await givePassword(on.world, 'alice');
  });

  const begin = async () => {
    const body = new URLSearchParams({ client_id: COMMAND_LINE_ID });
    const answer = await fetch(`${on.world.url}/oauth/device`, { method: 'POST', body });
    return (await answer.json()) as { user_code: string; device_code: string; verification_uri_complete: string };
  };

  test('row 14: a typed code logs a program in, after the page has said which program it is', async () => {
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    const { user_code: code, device_code, verification_uri_complete } = await begin();
    await page.goto(verification_uri_complete);
    await signIn(page, 'alice');
    const field = page.getByRole('textbox', { name: 'Code' });
    await expect.poll(() => field.inputValue()).toBe('');
    await field.fill('BBBB-BBBB');
    await page.keyboard.press('Enter');
    await page.getByText('Not found').waitFor();
    await field.fill(code);
    await page.keyboard.press('Enter');
    await page.getByText('Hugging Face CLI').waitFor();
    await page.getByText('It waits at 127.0.0.1').waitFor();
    await page.getByText('Run jobs and read their logs').waitFor();
    await expect.poll(() => page.getByRole('checkbox', { name: 'acme' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Log it in' }).click();
    await page.getByText('The program is logged in').waitFor();

    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    const body = new URLSearchParams({ grant_type, device_code, client_id: COMMAND_LINE_ID });
    const { access_token } = (await (await fetch(`${on.world.url}/oauth/token`, { method: 'POST', body })).json()) as {
      access_token: string;
    };
    const whoAmI = () =>
      fetch(`${on.world.url}/api/whoami-v2`, { headers: { authorization: `Bearer ${access_token}` } });
    expect((await whoAmI()).status).toBe(200);
    await page.goto('/settings/applications');
    await page.getByRole('button', { name: 'End Hugging Face CLI' }).click();
    await agree(page, 'End the access of Hugging Face CLI?', 'End the access');
    await page.getByText('No application acts for you').waitFor();
    expect((await whoAmI()).status).toBe(401);
    expect(complaints).toEqual([]);
  });

  test('a page of another origin signs its visitor in with oauthLoginUrl and oauthHandleRedirect', async () => {
    await using visitor = await on.visit();
    await using site = await startSite(() => on.world.url);
    const { page, complaints } = visitor;
    const redirectUris = [`${site.url}/callback`];
    const { clientId } = await createApplication({ ...on.world.as('alice'), name: 'Reader', redirectUris });
    site.signInWith(clientId);
    await page.goto(site.url);
    await signIn(page, 'alice');
    await page.getByText('an application of alice').waitFor();
    await page.getByRole('button', { name: 'Let it in' }).click();
    await page.waitForURL(`${site.url}/**`);
    await page.waitForFunction('document.title !== ""');
    expect(await page.title()).toBe('Hello alice hf_oauth_ kept & whole');
    expect(complaints).toEqual([]);
  });

  test('an application is registered, shows its secret once, and is deleted', async () => {
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    await page.goto('/settings/applications');
    await signIn(page, 'alice');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Notebook');
    await page.getByRole('textbox', { name: 'Redirect addresses' }).fill('http://evil.example/');
    await page.getByRole('checkbox', { name: 'It keeps a secret' }).check();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText(/must begin with https/).waitFor();
    await page.getByRole('textbox', { name: 'Redirect addresses' }).fill('https://app.example/callback');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Notebook is registered').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Delete Notebook' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete Notebook' }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});
