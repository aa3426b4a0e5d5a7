import { HubApiError } from '@moonbase/client/errors';
import { beginDeviceLogin, exchangeForTokens, type OauthTokens } from '@moonbase/client/oauth';
import type { Hub } from '@moonbase/client/request';
import { FailedError } from '../program/failure.ts';
import { sleepOf, type Terminal } from '../terminal/terminal.ts';
import type { Login } from './credentials.ts';

/** The client id of this command at every hub. */
export const CLIENT_ID = 'moonbase-cli';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** The increase of the polling interval when the hub responds `slow_down` (RFC 8628, 3.5). */
const SLOWER_SECONDS = 5;

/** Converts a response of the token endpoint to its stored form. */
export function loginOf(tokens: OauthTokens, now: number, before?: Login): Login {
  const refreshToken = tokens.refresh_token ?? before?.refreshToken;
  if (refreshToken === undefined) throw new FailedError('The hub gave no refresh token.');
  return { accessToken: tokens.access_token, refreshToken, expiresAt: now + tokens.expires_in * 1000 };
}

/**
 * Logs in with a code that a person types into a page of the hub, in any browser (RFC 8628). Throws a `FailedError` if
 * the person refuses or takes too long.
 */
export async function logInByCode(hub: Hub, terminal: Terminal): Promise<Login> {
  const sleep = sleepOf(terminal);
  const stranger: Hub = { ...hub, accessToken: undefined };
  const deviceLogin = await beginDeviceLogin({ ...stranger, client_id: CLIENT_ID });
  terminal.err(`Open ${deviceLogin.verification_uri} in a browser, and type the code ${deviceLogin.user_code}\n`);
  const endsAt = Date.now() + deviceLogin.expires_in * 1000;
  let seconds = deviceLogin.interval;
  while (Date.now() < endsAt) {
    await sleep(seconds * 1000);
    const answer = await tokensFor(stranger, deviceLogin.device_code);
    if (typeof answer === 'object') return loginOf(answer, Date.now());
    if (answer === 'slow_down') seconds += SLOWER_SECONDS;
  }
  throw tooLong();
}

const tooLong = () => new FailedError('The login took too long. Run `moonbase login` again.');

/** Requests the tokens of a code. Returns the tokens, or the reason why there are none yet. */
async function tokensFor(hub: Hub, code: string): Promise<OauthTokens | 'authorization_pending' | 'slow_down'> {
  try {
    const request = { grant_type: DEVICE_GRANT, client_id: CLIENT_ID, device_code: code };
    return await exchangeForTokens({ ...hub, retry: false, ...request });
  } catch (error) {
    const reason = error instanceof HubApiError ? error.message : undefined;
    if (reason === 'authorization_pending' || reason === 'slow_down') return reason;
    if (reason === 'access_denied') throw new FailedError('The login was refused.');
    throw reason === 'expired_token' ? tooLong() : error;
  }
}
