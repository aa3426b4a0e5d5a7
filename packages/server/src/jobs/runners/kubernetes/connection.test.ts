import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fromKubeconfig, inCluster } from './connection.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moonbase-connection-'));
});
afterEach(() => rm(folder, { recursive: true }));

const file = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text);
  return join(folder, name);
};
const kubeconfig = (user: string, cluster = 'server: https://10.0.0.1:6443/') =>
  file(
    'config',
    `apiVersion: v1
kind: Config
current-context: main
contexts:
  - { name: main, context: { cluster: c, user: u, namespace: jobs } }
  - { name: other, context: { cluster: c, user: u } }
  - { name: broken, context: { cluster: nowhere, user: u } }
clusters:
  - name: c
    cluster: { ${cluster} }
users:
  - name: u
    user: { ${user} }
`,
  );

test('in a cluster, the token is read from its file each time', async () => {
  await file('token', 'first\n');
  await file('ca.crt', 'the authority');
  await file('namespace', 'jobs\n');
  const connection = inCluster(folder);
  expect(connection).toMatchObject({
    server: 'https://kubernetes.default.svc',
    namespace: 'jobs',
    tls: { ca: 'the authority' },
  });
  expect(await connection.token()).toBe('first');
  await file('token', 'second');
  expect(await connection.token()).toBe('second');
});

test('outside a cluster, a missing service account token stops the start', () => {
  expect(() => inCluster(folder)).toThrow(/MOONBASE_KUBERNETES: .*token cannot be read: ENOENT/);
});

test('a kubeconfig gives the server, the authority and a client certificate', async () => {
  await file('client.crt', 'certificate');
  const data = Buffer.from('key').toString('base64');
  const ca = Buffer.from('authority').toString('base64');
  const path = await kubeconfig(
    `client-certificate: client.crt, client-key-data: ${data}`,
    `server: "https://10.0.0.1:6443/", certificate-authority-data: ${ca}, tls-server-name: kube`,
  );
  const connection = fromKubeconfig(path);
  expect(connection).toMatchObject({
    server: 'https://10.0.0.1:6443',
    namespace: 'jobs',
    tls: { ca: 'authority', cert: 'certificate', key: 'key', servername: 'kube', rejectUnauthorized: true },
  });
  expect(await connection.token()).toBeUndefined();
  expect(fromKubeconfig(path, 'other').namespace).toBeUndefined();
});

test('a kubeconfig gives a token, or the name of a file beside it that contains one', async () => {
  expect(await fromKubeconfig(await kubeconfig('token: abc')).token()).toBe('abc');
  await file('t', 'from a file\n');
  expect(await fromKubeconfig(await kubeconfig('tokenFile: t')).token()).toBe('from a file');
});

test.each([
  ['exec: { command: aws }', undefined, undefined, /user.exec: is not supported: use a token/],
  ['token: abc', 'server: "ftp://x"', undefined, /cluster.server must be an https URL/],
  ['token: abc', 'server: "https://x", proxy-url: "http://p"', undefined, /cluster.proxy-url: is not supported/],
  ['token: abc', undefined, 'missing', /has no context missing/],
  ['token: abc', undefined, 'broken', /has no cluster nowhere/],
  ['client-key: nowhere', undefined, undefined, /nowhere cannot be read: ENOENT/],
  ['token: "secret', undefined, undefined, /config is no YAML$/],
])('a kubeconfig that cannot be used stops the start: %s', async (user, cluster, context, message) => {
  const path = await kubeconfig(user, cluster);
  expect(() => fromKubeconfig(path, context)).toThrow(message);
  expect(() => fromKubeconfig(path, context)).not.toThrow(/secret/);
});
