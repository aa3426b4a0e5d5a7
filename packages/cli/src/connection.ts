import { hubKey, readCredentials } from './credentials.ts';
import { UsageError } from './program/failure.ts';

/** Which hub is asked, and as whom. */
export interface Connection {
  readonly hubUrl: string;
  readonly accessToken: string | undefined;
}

const DEFAULT_URL = 'http://127.0.0.1:7780';

/**
 * From the options, else the environment, else where `moonbase login` was last, else the hub that `npm start` makes. An
 * empty variable counts as none. A token that is kept goes to the hub that it is kept for, and to no other.
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
  return { hubUrl, accessToken: token ?? kept.tokens[hubKey(hubUrl)] };
}

/** Throws a `UsageError` for what no header can hold; the token is not repeated. */
export function checkToken(token: string): void {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError('The token must be one word of printable ASCII, as in hf_…');
  }
}

const first = (...values: (string | undefined)[]): string | undefined =>
  values.map((value) => value?.trim()).find((value) => value !== undefined && value !== '');

/** The address itself is not repeated where it may hold a password. */
function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.username || url?.password) throw new UsageError('The URL of the hub must not hold a user or a password');
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new UsageError(
      `The URL of the hub must begin with http:// or https:// and end with its host or path: ${text}`,
    );
  }
}
