import { expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { startCertifiedProvider } from './certified-provider.ts';
import { createTestClock } from './clock.ts';
import { startHub } from './harness.ts';
import { plainHashing } from './plain-hashing.ts';
import { begin, finish, whoIs } from './single-sign-on.ts';

/**
 * Opens a person's browser at the provider, which follows redirects and fills in forms until it is redirected to the
 * hub.
 */
function openPersonsBrowser(hubUrl: string) {
  const cookies = new Map<string, string>();
  async function load(url: string, form?: URLSearchParams): Promise<{ url: string; html: string }> {
    const response = await fetch(url, {
      ...(form && { method: 'POST', body: form }),
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) return { url, html: await response.text() };
    const next = new URL(location, url).href;
    return next.startsWith(`${hubUrl}/`) ? { url: next, html: '' } : load(next);
  }
  return {
    /** Returns the path at the hub to which the provider redirects. */
    async signIn(url: string, login: string): Promise<string> {
      let page = await load(url);
      for (let forms = 0; forms < 3 && !page.url.startsWith(`${hubUrl}/`); forms++) {
        const [, action = ''] = /action="([^"]+)"/.exec(page.html) ?? [];
        const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page.html) ?? [];
        page = await load(new URL(action, page.url).href, new URLSearchParams({ prompt, login, password: 'any' }));
      }
      return page.url.slice(hubUrl.length);
    },

    /** Signs the person out at the provider, and thereby everywhere. */
    async signOut(issuer: string): Promise<void> {
      const { url, html } = await load(`${issuer}/session/end`);
      const [, action = ''] = /action="([^"]+)"/.exec(html) ?? [];
      const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(html) ?? [];
      await load(new URL(action, url).href, new URLSearchParams({ xsrf, logout: 'yes' }));
    },
  };
}

async function startWithProvider() {
  const provider = await startCertifiedProvider();
  const settings = { ...provider.settings, MOONBASE_OIDC_ADMIN_GROUP: 'hub-admins' };
  // The provider uses the system clock.
  const hub = await startHub(settings, { clock: createTestClock(Date.now()), hashing: plainHashing });
  provider.serve(hub.url);
  return {
    hub,
    /** Returns a person, whose browser keeps the cookies of the provider between sign-ins. */
    person(login: string) {
      const atProvider = openPersonsBrowser(hub.url);
      return {
        async signIn(wish: object = {}) {
          const browser = openBrowser(hub);
          const { status, body } = await finish(browser, await atProvider.signIn(await begin(browser, wish), login));
          expect([status, body]).toEqual([200, expect.objectContaining({ linked: false })]);
          return { browser, user: body.user };
        },
        signOut: () => atProvider.signOut(provider.issuer),
      };
    },
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

test('with oidc-provider a user signs in, again without a prompt, and with one if required', async () => {
  await using here = await startWithProvider();
  const dora = here.person('dora');
  const first = await dora.signIn();
  expect(first.user).toMatchObject({ name: 'dora', fullname: 'The person dora' });
  expect((await first.browser.ask('GET /api/admin/users')).status).toBe(200);
  const second = await dora.signIn();
  expect(second.user.id).toBe(first.user.id);
  const third = await dora.signIn({ again: true });
  expect((await third.browser.ask('PUT /api/settings/email', { email: null })).status).toBe(200);
});

test('row 35: whoever signs out at oidc-provider is signed out of the hub, in every browser, and nobody else is', async () => {
  await using here = await startWithProvider();
  const dora = here.person('dora');
  const [{ browser: one }, { browser: two }] = [await dora.signIn(), await dora.signIn()];
  const { browser: other } = await here.person('erin').signIn();
  await dora.signOut();
  expect([await whoIs(one), await whoIs(two), await whoIs(other)]).toEqual([401, 401, 'erin']);
  expect(await whoIs((await dora.signIn()).browser)).toBe('dora');
});
