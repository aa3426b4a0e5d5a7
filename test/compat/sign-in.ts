import { createUserLink } from '@moonbase/client/authentication';
import { TOKENS, type World } from './world.ts';

/** The password that `signIn` gives to alice. */
export const PASSWORD = 'seven quiet herons';

/**
 * Signs alice in with a link, as a browser would; returns her cookie and `post`, which sends requests as pages of the
 * hub do.
 */
export async function signIn({ hubUrl }: World) {
  const { url } = await createUserLink({ hubUrl, accessToken: TOKENS.admin, username: 'alice', purpose: 'invite' });
  const path = new URL(url).pathname.replace('/join/', '/api/links/');
  const send = (to: string, body: unknown, cookie = '') =>
    fetch(hubUrl + to, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: hubUrl, cookie },
      body: JSON.stringify(body),
    });
  const begun = await send(path, { password: PASSWORD });
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { cookie, post: (to: string, body: unknown) => send(to, body, cookie) };
}
