import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fetch } from '@moonbase/client/request';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { moonbase, type RunningHub, startHub } from './hub.ts';

/* What the command says, with the setting or the option and the remedy, if it was called wrongly. */

let hub: RunningHub;
beforeAll(async () => {
  hub = await startHub();
});
afterAll(() => hub[Symbol.asyncDispose]());

const SIGN_IN = 'Sign in with `moonbase login`, or set MOONBASE_TOKEN.';
const URL_FORM = 'The URL of the hub must begin with http:// or https:// and end with its host or path';

test.each([
  ['a URL without a scheme', { MOONBASE_URL: 'hub.test' }, `${URL_FORM}: hub.test`, 2],
  ['a URL with a query', { MOONBASE_URL: 'http://hub.test?x=1' }, `${URL_FORM}: http://hub.test?x=1`, 2],
  [
    'a URL with a password',
    { MOONBASE_URL: 'http://ada:hush@hub.test' },
    'The URL of the hub must not contain a user or a password',
    2,
  ],
  [
    'a token of two words',
    { MOONBASE_TOKEN: 'hf_a hf_b' },
    'The token must be one word of printable ASCII, such as hf_…',
    2,
  ],
])('with %s', async (_, env, sentence, status) => {
  expect(await moonbase(['whoami'], { env })).toEqual({ out: '', err: `${sentence}\n`, status });
});

test.each([{}, { MOONBASE_TOKEN: 'hf_nobody' }])('with %j to a hub that wants a token', async (env) => {
  const { status, err } = await moonbase(['whoami'], { env: { MOONBASE_URL: hub.hubUrl, ...env } });
  expect(err.split('\n')[1]).toBe(SIGN_IN);
  expect(status).toBe(3);
});

test('with a URL at which nothing listens', async () => {
  const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
  const fetch: Fetch = () => Promise.reject(new TypeError('fetch failed', { cause: refused }));
  expect(await moonbase(['whoami', '--url', 'http://hub.test'], { fetch })).toEqual({
    out: '',
    err: 'No hub responds at http://hub.test (ECONNREFUSED).\nStart one with `moonbase serve`, or name another one with --url or MOONBASE_URL.\n',
    status: 5,
  });
});

describe('over TLS', () => {
  const url = 'https://hub.test';
  const failing = (code: string): Fetch => {
    return () => Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code }) }));
  };
  const NEW_AUTHORITY =
    'Its certificate is not trusted: name the certificate of the authority that issued it, as in NODE_EXTRA_CA_CERTS=/path/to/ca.pem.';

  test.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', NEW_AUTHORITY],
    ['SELF_SIGNED_CERT_IN_CHAIN', NEW_AUTHORITY],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', NEW_AUTHORITY],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', NEW_AUTHORITY],
    ['CERT_HAS_EXPIRED', 'Its certificate has expired: renew it there, or correct the clock of this machine.'],
    ['CERT_NOT_YET_VALID', 'Its certificate is not valid yet: correct the clock of this machine.'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'Its certificate is for other names: use one of them in --url or MOONBASE_URL.'],
  ])('%s', async (code, remedy) => {
    const { status, err } = await moonbase(['whoami', '--url', url], { fetch: failing(code) });
    expect(err).toBe(`The hub at ${url} cannot be used over TLS (${code}).\n${remedy}\n`);
    expect(status).toBe(5);
  });

  test('to a server without it', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { err } = await moonbase(['whoami', '--url', `https://127.0.0.1:${port}`]);
    expect(err).toMatch(
      /There is a server without TLS: begin the URL with http:\/\/ in --url or MOONBASE_URL, or set up TLS there\.\n$/,
    );
  });
});

test.each([
  ['- name: ada', '- must be a mapping of users, organizations, repos, papers, posts and articles'],
  ['users: [', 'is neither YAML nor JSON: '],
  [
    'people: [{ name: ada }]',
    '- must not have people: its parts are users, organizations, repos, papers, posts and articles',
  ],
  ['users: [{ name: a--b }]', 'users[0].name: must be 2 to 42 letters, digits and single dashes inside'],
  ['repos: [{ name: nobody/toy }]', 'repos[0].name: there is no user or organization named nobody'],
])('applying the document %j', async (stdin, sentence) => {
  const { status, err } = await hub.as('admin', ['apply', '-f', '-'], { stdin });
  expect(err).toContain(sentence.replace(/^- /, 'standard input '));
  expect(status).toBeGreaterThan(0);
});

test('applying a document that is not there names the file', async () => {
  const { status, err } = await hub.as('admin', ['apply', '-f', '/nowhere/hub.yaml']);
  expect([err, status]).toEqual(['Cannot read /nowhere/hub.yaml: no such file\n', 2]);
});
