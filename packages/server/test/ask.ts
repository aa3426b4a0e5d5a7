import type { Method } from '@moonbase/contract/route';
import { contractFetch } from './contract-fetch.ts';
import type { Connection } from './harness.ts';

/** Whom to ask: a connection, or one without a token. */
export type Asked = Pick<Connection, 'hubUrl'> & Partial<Pick<Connection, 'accessToken'>>;

/**
 * Asks what the typed client would not: `ask(alice, 'POST /api/repos/create', { name: 'letters' })`. A body that is a
 * text goes out as it is. Redirects are not followed.
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
