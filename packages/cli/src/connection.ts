import { hubKey, readCredentials } from './login/credentials.ts';
import { UsageError } from './program/failure.ts';

/** A hub and the token for it. */
export interface Connection {
  readonly hubUrl: string;
  readonly accessToken: string | undefined;
  /** Whether the stored login is used, which is renewed from time to time, instead of an access token. */
  readonly usesLogin?: true;
}

const DEFAULT_URL = 'http://127.0.0.1:7780';

/**
 * Returns the hub and token to use: from the options, else the environment, else the last `moonbase login`, else the
 * hub that `npm start` starts. Empty variables count as unset. A stored token is sent only to the hub for which it was
 * stored.
 */
export function connectionOf(
  options: { readonly url?: string | undefined },
  env: Readonly<Record<string, string | undefined>>,
): Connection {
  const given = first(options.url, env.MOONBASE_URL, env.HF_ENDPOINT);
  const token = first(env.MOONBASE_TOKEN, env.HF_TOKEN);
  const kept = readCredentials(env);
  const hubUrl = given ?? kept.hubUrl ?? DEFAULT_URL;
  checkUrl(hubUrl);
  if (token) checkToken(token);
  const accessToken = token ?? kept.tokens[hubKey(hubUrl)];
  const usesLogin = accessToken === undefined && kept.logins[hubKey(hubUrl)] !== undefined;
  return { hubUrl, accessToken, ...(usesLogin && { usesLogin }) };
}

/** Throws a `UsageError` for a token that no header can contain; the message does not repeat the token. */
export function checkToken(token: string): void {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError('The token must be one word of printable ASCII, such as hf_…');
  }
}

const first = (...values: (string | undefined)[]): string | undefined =>
  values.map((value) => value?.trim()).find((value) => value !== undefined && value !== '');

/** Checks the URL of a hub; errors do not repeat a URL that may contain a password. */
function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.username || url?.password) throw new UsageError('The URL of the hub must not contain a user or a password');
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new UsageError(
      `The URL of the hub must begin with http:// or https:// and end with its host or path: ${text}`,
    );
  }
}
