import { HubApiError } from '@moonbase/client/errors';
import { exchangeForTokens } from '@moonbase/client/oauth';
import type { Fetch } from '@moonbase/client/request';
import { FailedError } from '../program/failure.ts';
import { sleepOf, type Terminal } from '../terminal/terminal.ts';
import { type Environment, hubKey, type Login, readCredentials, withHub, writeCredentials } from './credentials.ts';
import { lockingCredentials } from './credentials-lock.ts';
import { CLIENT_ID, loginOf } from './device-login.ts';

/** A login is renewed when less than this is left of its access token, which lives for 30 days. */
const RENEWED_BEFORE_MS = 24 * 60 * 60 * 1000;
/** So long the renewal may take while other processes wait for it. */
const RENEW_WITHIN_MS = 30_000;

/** Returns the `fetch` of a hub to which the stored login of the caller goes, renewed where it is about to expire. */
export function fetchWithLogin(hubUrl: string, terminal: Terminal): Fetch {
  const { env, fetch: given } = terminal;
  const send: Fetch = given ?? fetch;
  const now = () => Date.now();
  let renewed: Promise<Login | undefined> | undefined;

  async function renew(): Promise<Login | undefined> {
    const login = storedLogin(env, hubUrl);
    if (!login || login.expiresAt - now() > RENEWED_BEFORE_MS) return login;
    return lockingCredentials(env, sleepOf(terminal), async () => {
      const latest = storedLogin(env, hubUrl);
      // Another process was quicker, or has signed out.
      if (!latest || latest.expiresAt - now() > RENEWED_BEFORE_MS) return latest;
      const next = await exchanged(hubUrl, send, latest).catch((error: unknown) => unrenewed(error, latest, now()));
      if (next !== latest) writeCredentials(env, withHub(readCredentials(env), hubKey(hubUrl), next));
      return next;
    });
  }

  return async (url, request) => {
    renewed ??= renew();
    const login = await renewed;
    // A command that runs for weeks renews its login as well.
    if (login && login.expiresAt - now() <= RENEWED_BEFORE_MS) renewed = undefined;
    const headers = new Headers(request.headers);
    if (login) headers.set('authorization', `Bearer ${login.accessToken}`);
    return send(url, { ...request, headers });
  };
}

const storedLogin = (env: Environment, hubUrl: string): Login | undefined =>
  readCredentials(env).logins[hubKey(hubUrl)];

async function exchanged(hubUrl: string, fetch: Fetch, login: Login): Promise<Login> {
  const tokens = await exchangeForTokens({
    ...{ hubUrl, fetch, retry: false, signal: AbortSignal.timeout(RENEW_WITHIN_MS) },
    ...{ grant_type: 'refresh_token', client_id: CLIENT_ID, refresh_token: login.refreshToken },
  });
  return loginOf(tokens, Date.now(), login);
}

/** What becomes of a login that the hub did not renew: it is used for as long as it lasts. Throws once it is over. */
function unrenewed(error: unknown, login: Login, now: number): Login {
  const isOver = error instanceof HubApiError && error.message === 'invalid_grant';
  if (isOver) throw new FailedError('Your login has ended. Run `moonbase login` again.');
  if (login.expiresAt > now) return login;
  throw error;
}
