import type { Method } from '@moonbase/contract/route';
import { contractFetch } from './contract-fetch.ts';
import type { Connection } from './harness.ts';

/** The hub and, unless the request is anonymous, the access token. */
export type Asked = Pick<Connection, 'hubUrl'> & Partial<Pick<Connection, 'accessToken'>>;

/**
 * Sends a request that the typed client would not, as in `ask(alice, 'POST /api/repos/create', { name: 'letters' })`. A
 * text body is sent unchanged, and redirects are not followed.
 */
export function ask(
  { hubUrl, accessToken }: Asked,
  request: `${Method} ${string}`,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const [method = '', path = ''] = request.split(/ (.*)/s);
  return contractFetch(hubUrl + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(accessToken && { authorization: `Bearer ${accessToken}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}
