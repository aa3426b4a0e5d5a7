import { HubApiError } from '@moonbase/client/errors';
import { exchangeForTokens } from '@moonbase/client/oauth';
import type { Fetch } from '@moonbase/client/request';
import { FailedError } from '../program/failure.ts';
import { sleepOf, type Terminal } from '../terminal/terminal.ts';
import { type Environment, hubKey, type Login, readCredentials, withHub, writeCredentials } from './credentials.ts';
import { withCredentialsLock } from './credentials-lock.ts';
import { CLIENT_ID, loginOf } from './device-login.ts';

/** A login is renewed when its access token, which lives for 30 days, expires within this time. */
const RENEWED_BEFORE_MS = 24 * 60 * 60 * 1000;
/** How long other processes wait for a renewal. */
const RENEW_WITHIN_MS = 30_000;

/** Returns the `fetch` for a hub that sends the stored login, renewing it when it is about to expire. */
export function fetchWithLogin(hubUrl: string, terminal: Terminal): Fetch {
  const { env, fetch: given } = terminal;
  const send: Fetch = given ?? fetch;
  const now = () => Date.now();
  let renewed: Promise<Login | undefined> | undefined;

  async function renew(): Promise<Login | undefined> {
    const login = storedLogin(env, hubUrl);
    if (!login || login.expiresAt - now() > RENEWED_BEFORE_MS) return login;
    return withCredentialsLock(env, sleepOf(terminal), async () => {
      const latest = storedLogin(env, hubUrl);
      // Another process has renewed the login or signed out meanwhile.
      if (!latest || latest.expiresAt - now() > RENEWED_BEFORE_MS) return latest;
      const next = await exchangeRefreshToken(hubUrl, send, latest).catch((error: unknown) =>
        stillValid(error, latest, now()),
      );
      if (next !== latest) writeCredentials(env, withHub(readCredentials(env), hubKey(hubUrl), next));
      return next;
    });
  }

  return async (url, request) => {
    renewed ??= renew();
    const login = await renewed;
    // A command that runs for weeks has to renew its login as well.
    if (login && login.expiresAt - now() <= RENEWED_BEFORE_MS) renewed = undefined;
    const headers = new Headers(request.headers);
    if (login) headers.set('authorization', `Bearer ${login.accessToken}`);
    return send(url, { ...request, headers });
  };
}

const storedLogin = (env: Environment, hubUrl: string): Login | undefined =>
  readCredentials(env).logins[hubKey(hubUrl)];

async function exchangeRefreshToken(hubUrl: string, fetch: Fetch, login: Login): Promise<Login> {
  const tokens = await exchangeForTokens({
    ...{ hubUrl, fetch, retry: false, signal: AbortSignal.timeout(RENEW_WITHIN_MS) },
    ...{ grant_type: 'refresh_token', client_id: CLIENT_ID, refresh_token: login.refreshToken },
  });
  return loginOf(tokens, Date.now(), login);
}

/** Returns a login that could not be renewed if it is still valid; throws otherwise. */
function stillValid(error: unknown, login: Login, now: number): Login {
  const isOver = error instanceof HubApiError && error.message === 'invalid_grant';
  if (isOver) throw new FailedError('Your login has ended. Run `moonbase login` again.');
  if (login.expiresAt > now) return login;
  throw error;
}
