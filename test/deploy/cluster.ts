import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './proxies.ts';

const run = promisify(execFile);
const TOKEN = 'administrator-of-the-cluster';
const STARTED_MS = 60_000;

/** An object of the API, as far as the tests look at it. */
export interface KubeObject {
  readonly metadata: { readonly name: string; readonly labels?: Record<string, string> };
  readonly spec: Record<string, unknown>;
  readonly status?: { readonly phase?: string };
}

interface Reply {
  readonly status: number;
  readonly body: string;
}

/**
 * A Kubernetes without machines: etcd, the API server and the controllers. What a kubelet would tell of pods is told by
 * `tellOfPods`; no container starts.
 */
export interface Cluster extends AsyncDisposable {
  helm(...args: string[]): Promise<string>;
  /** Returns the objects of a kind in a namespace, such as `/apis/apps/v1` and `deployments`. */
  list(group: string, namespace: string, kind: string): Promise<KubeObject[]>;
  create(path: string, body: object): Promise<void>;
}

/** Says of a pod in which phase it is; undefined leaves it as it is. */
type PhaseOf = (pod: KubeObject) => 'Running' | 'Succeeded' | 'Failed' | undefined;

/** Starts a cluster on the loopback address with the programs of a folder. */
export async function startCluster(programs: string, folder: string, phaseOf: PhaseOf): Promise<Cluster> {
  const children: ChildProcess[] = [];
  const start = (name: string, args: string[]) => {
    const log = openSync(join(folder, `${name}.log`), 'a');
    children.push(spawn(join(programs, name), args, { cwd: folder, stdio: ['ignore', log, log] }));
    closeSync(log);
  };
  const [etcd, peer, port] = [await freePort(), await freePort(), await freePort()];
  const keys = makeKeys(folder);
  writeFileSync(join(folder, 'tokens.csv'), `${TOKEN},administrator,1,system:masters\n`);
  start('etcd', [
    ...['--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync'],
    ...['--listen-client-urls', `http://127.0.0.1:${etcd}`, '--advertise-client-urls', `http://127.0.0.1:${etcd}`],
    ...['--listen-peer-urls', `http://127.0.0.1:${peer}`, '--initial-advertise-peer-urls', `http://127.0.0.1:${peer}`],
    ...['--initial-cluster', `default=http://127.0.0.1:${peer}`],
  ]);
  start('kube-apiserver', [
    ...[`--etcd-servers=http://127.0.0.1:${etcd}`, '--bind-address=127.0.0.1', `--secure-port=${port}`],
    ...[`--cert-dir=${join(folder, 'certificates')}`, `--token-auth-file=${join(folder, 'tokens.csv')}`],
    ...['--authorization-mode=RBAC', '--service-cluster-ip-range=10.96.0.0/24'],
    ...['--service-account-issuer=https://kubernetes.default.svc', `--service-account-key-file=${keys.public}`],
    `--service-account-signing-key-file=${keys.private}`,
  ]);
  const send = (method: string, path: string, body?: object, type = 'application/json') =>
    ask({ port, method, path, type, body: body && JSON.stringify(body) });
  await until(async () => (await send('GET', '/readyz')).status === 200, folder);
  const config = join(folder, 'kubeconfig');
  writeFileSync(config, kubeconfig(port, join(folder, 'certificates/apiserver.crt')));
  start('kube-controller-manager', [
    ...[`--kubeconfig=${config}`, '--leader-elect=false', '--bind-address=127.0.0.1', '--secure-port=0'],
    `--service-account-private-key-file=${keys.private}`,
  ]);

  const listAll = async (path: string): Promise<KubeObject[]> => {
    const { status, body } = await send('GET', path);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`);
    return (JSON.parse(body) as { items: KubeObject[] }).items;
  };
  let isStopping = false;
  const telling = (async () => {
    while (!isStopping) {
      for (const pod of await listAll('/api/v1/pods')) await tellOf(pod);
      await pause(100);
    }
  })();
  telling.catch(() => {});

  async function tellOf(pod: KubeObject & { readonly metadata: { readonly namespace?: string } }): Promise<void> {
    const phase = phaseOf(pod);
    if (phase === undefined || pod.status?.phase === phase) return;
    const ready = { type: 'Ready', status: phase === 'Running' ? 'True' : 'False', lastTransitionTime: new Date() };
    const path = `/api/v1/namespaces/${pod.metadata.namespace}/pods/${pod.metadata.name}/status`;
    await send('PATCH', path, { status: { phase, conditions: [ready] } }, 'application/strategic-merge-patch+json');
  }

  const environment = { PATH: process.env.PATH, HOME: folder, KUBECONFIG: config };
  return {
    helm: async (...args) => (await run(join(programs, 'helm'), args, { env: environment })).stdout,
    list: (group, namespace, kind) => listAll(`${group}/namespaces/${namespace}/${kind}`),
    async create(path, body) {
      const { status, body: said } = await send('POST', path, body);
      if (status !== 201) throw new Error(`${path} answered ${status}: ${said}`);
    },
    async [Symbol.asyncDispose]() {
      isStopping = true;
      await telling.catch(() => {});
      for (const child of children.reverse()) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }
    },
  };
}

/** Asks the API server, whose certificate is of its own making, on the loopback address. */
function ask(given: { port: number; method: string; path: string; type: string; body: string | undefined }) {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': given.type };
  return new Promise<Reply>((resolve, reject) => {
    const { port, method, path } = given;
    const asked = request({ host: '127.0.0.1', port, method, path, headers, rejectUnauthorized: false }, (reply) => {
      let body = '';
      reply.setEncoding('utf8');
      reply.on('data', (piece: string) => {
        body += piece;
      });
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body }));
    });
    asked.on('error', reject).end(given.body);
  });
}

async function until(isDone: () => Promise<boolean>, folder: string): Promise<void> {
  const deadline = performance.now() + STARTED_MS;
  while (!(await isDone().catch(() => false))) {
    if (performance.now() > deadline)
      throw new Error(`The API server did not start: ${readFileSync(join(folder, 'kube-apiserver.log'), 'utf8')}`);
    await pause(200);
  }
}

/** Makes the keys with which the API server signs the tokens of service accounts. */
function makeKeys(folder: string): { readonly private: string; readonly public: string } {
  mkdirSync(join(folder, 'certificates'));
  const keys = { private: join(folder, 'accounts.key'), public: join(folder, 'accounts.pub') };
  execFileSync('openssl', ['genrsa', '-out', keys.private, '2048'], { stdio: 'ignore' });
  execFileSync('openssl', ['rsa', '-in', keys.private, '-pubout', '-out', keys.public], { stdio: 'ignore' });
  return keys;
}

const kubeconfig = (port: number, authority: string): string => `apiVersion: v1
kind: Config
clusters:
  - { name: local, cluster: { server: 'https://127.0.0.1:${port}', certificate-authority: '${authority}' } }
users:
  - { name: administrator, user: { token: ${TOKEN} } }
contexts:
  - { name: local, context: { cluster: local, user: administrator } }
current-context: local
`;
