import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Cluster, type KubeObject, startCluster } from './cluster.ts';
import { DEPLOY } from './tools.ts';

/** A folder with etcd, kube-apiserver, kube-controller-manager and helm; deploy/README.md says how to get them. */
const programs = process.env.MOONBASE_TEST_KUBERNETES;
if (programs === undefined) console.warn('The chart is not installed: MOONBASE_TEST_KUBERNETES names no folder');

const NAMESPACE = 'hub';
const CHART = join(DEPLOY, 'helm/moonbase');
/** Values that use each template but the one for an operator's kind of object. */
const VALUES = [
  ...['existingSecret=moonbase', 'publicUrl=https://hub.example.com', 'trustedProxies=10.0.0.0/8'],
  ...['ingress.enabled=true', 'ingress.host=hub.example.com', 'ingress.tlsSecret=hub-tls', 'dataClaim=hub-files'],
].flatMap((value) => ['--set', value]);

const componentOf = ({ metadata }: KubeObject): string | undefined => metadata.labels?.['app.kubernetes.io/component'];

/** Starts a cluster with a namespace that takes only what the profile "restricted" allows, and the Secret of the hub. */
async function fixture() {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-kubernetes-'));
  /** What becomes of the pods of migrations; undefined: they do not end. */
  const migrating: { end?: 'Succeeded' | 'Failed' | undefined } = {};
  const phaseOf = (pod: KubeObject) => (componentOf(pod) === 'migrate' ? migrating.end : 'Running');
  const cluster = await startCluster(programs ?? '', folder, phaseOf);
  onTestFinished(async () => {
    await cluster[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const enforced = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await cluster.create('/api/v1/namespaces', { metadata: { name: NAMESPACE, labels: enforced } });
  const stringData = { MOONBASE_DATABASE_URL: 'postgres://db/hub', MOONBASE_SECRET_KEY: 'k'.repeat(32) };
  await cluster.create(`/api/v1/namespaces/${NAMESPACE}/secrets`, { metadata: { name: 'moonbase' }, stringData });
  return { cluster, migrating };
}

const jobs = (cluster: Cluster) => cluster.list('/apis/batch/v1', NAMESPACE, 'jobs');
const deployments = (cluster: Cluster) => cluster.list('/apis/apps/v1', NAMESPACE, 'deployments');

/** Returns the images of the deployments, and of the pods that the controllers have made of them. */
async function imagesIn(cluster: Cluster) {
  const imageOf = ({ spec }: KubeObject) => JSON.stringify(spec).match(/"image":"[^"]*:([^"]+)"/)?.[1];
  const pods = (await cluster.list('/api/v1', NAMESPACE, 'pods')).filter((pod) => componentOf(pod) !== 'migrate');
  return {
    deployed: [...new Set((await deployments(cluster)).map(imageOf))],
    running: [...new Set(pods.map(imageOf))],
  };
}

test.skipIf(programs === undefined)(
  'the chart is installed, upgraded and rolled back: pods change only after the migration, and not if it fails',
  async () => {
    const { cluster, migrating } = await fixture();
    const helm = (command: string, ...args: string[]) =>
      cluster.helm(command, 'hub', ...args, '--namespace', NAMESPACE, '--timeout', '90s');
    const install = (command: string, tag: string) =>
      helm(command, CHART, ...VALUES, '--set', `image.tag=${tag}`, '--wait');
    const settled = { timeout: 60_000, interval: 200 };

    const installing = install('install', 'v1');
    await Promise.race([installing, expect.poll(() => jobs(cluster), settled).toHaveLength(1)]);
    expect(await deployments(cluster)).toEqual([]);
    migrating.end = 'Succeeded';
    expect(await installing).toContain('https://hub.example.com is the hub');
    expect(await jobs(cluster)).toEqual([]);
    expect((await deployments(cluster)).map(({ metadata }) => metadata.name).sort()).toEqual([
      'hub-moonbase-api',
      'hub-moonbase-worker',
    ]);
    expect(await imagesIn(cluster)).toEqual({ deployed: ['v1'], running: ['v1'] });
    for (const [group, kind, amount] of [
      ['/api/v1', 'services', 1],
      ['/apis/autoscaling/v2', 'horizontalpodautoscalers', 1],
      ['/apis/networking.k8s.io/v1', 'ingresses', 1],
      ['/apis/networking.k8s.io/v1', 'networkpolicies', 1],
      ['/apis/policy/v1', 'poddisruptionbudgets', 2],
    ] as const)
      expect(await cluster.list(group, NAMESPACE, kind), kind).toHaveLength(amount);

    migrating.end = undefined;
    const upgrading = install('upgrade', 'v2');
    await Promise.race([upgrading, expect.poll(() => jobs(cluster), settled).toHaveLength(1)]);
    expect(await imagesIn(cluster)).toEqual({ deployed: ['v1'], running: ['v1'] });
    migrating.end = 'Succeeded';
    await upgrading;
    await expect.poll(() => imagesIn(cluster), settled).toEqual({ deployed: ['v2'], running: ['v2'] });

    migrating.end = 'Failed';
    await expect(install('upgrade', 'v3')).rejects.toThrow(/pre-upgrade hooks failed/);
    expect(await imagesIn(cluster)).toEqual({ deployed: ['v2'], running: ['v2'] });

    migrating.end = undefined;
    await helm('rollback', '1', '--wait');
    await expect.poll(() => imagesIn(cluster), settled).toEqual({ deployed: ['v1'], running: ['v1'] });

    migrating.end = 'Succeeded';
    await install('upgrade', 'v3');
    await expect.poll(() => imagesIn(cluster), settled).toEqual({ deployed: ['v3'], running: ['v3'] });
    await helm('uninstall', '--wait');
    await expect.poll(() => cluster.list('/api/v1', NAMESPACE, 'pods'), settled).toEqual([]);
    const secrets = await cluster.list('/api/v1', NAMESPACE, 'secrets');
    expect(secrets.map(({ metadata }) => metadata.name)).toEqual(['moonbase']);
  },
);
