import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { DEPLOY, tool } from './tools.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'moonbase-deploy-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a linter; returns its status and all of its output. */
function run(program: string, args: string[], environment: NodeJS.ProcessEnv = {}, input = '') {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    input,
    // Linters get a minimal environment, without the settings of the developer.
    env: { PATH: process.env.PATH, HOME: folder, ...environment },
  });
  if (error) throw error;
  return { status, said: stdout + stderr, stdout };
}

test('hadolint finds no fault in the Dockerfile', () => {
  expect(run(tool('hadolint'), [join(DEPLOY, 'Dockerfile')])).toMatchObject({ status: 0, said: '' });
});

describe('compose.yaml', () => {
  const compose = (environment: NodeJS.ProcessEnv) =>
    run(tool('podman-compose'), ['-f', join(DEPLOY, 'compose.yaml'), 'config'], environment);
  const needed = {
    POSTGRES_PASSWORD: 'password',
    MOONBASE_SECRET_KEY: 'a key for tests, long enough to be taken',
    MOONBASE_ADMIN_TOKEN: 'hf_administratorOfTestsMayDoAllThereIs',
    MOONBASE_PUBLIC_URL: 'https://hub.example.com',
  };

  test('is accepted by podman-compose, with one process for requests and one for background work', () => {
    const { status, stdout, said } = compose(needed);
    expect(status, said).toBe(0);
    const [document] = parseAllDocuments(stdout);
    expect(document?.toJS()).toMatchObject({
      services: {
        api: { read_only: true, cap_drop: ['ALL'], environment: { MOONBASE_ROLE: 'api' } },
        worker: { read_only: true, cap_drop: ['ALL'], environment: { MOONBASE_ROLE: 'worker' } },
        migrate: { command: ['migrate'] },
        database: { volumes: ['database:/var/lib/postgresql/data'] },
      },
    });
  });

  test.each(Object.keys(needed))('is refused without %s', (name) => {
    const { status, said } = compose({ ...needed, [name]: '' });
    expect(status).not.toBe(0);
    expect(said).toContain(name);
  });
});

describe('the chart', () => {
  type Manifest = { kind: string; metadata: { name: string; annotations?: Record<string, string> }; spec: unknown };
  const least = { existingSecret: 'moonbase', publicUrl: 'https://hub.example.com' };
  const most = {
    ...least,
    trustedProxies: '10.0.0.0/8',
    dataClaim: 'hub-files',
    settings: { MOONBASE_MAIL_FROM: 'Moonbase <hub@example.com>' },
    imagePullSecrets: [{ name: 'registry' }],
    podAnnotations: { note: 'a' },
    podLabels: { team: 'hub' },
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    tolerations: [{ operator: 'Exists' }],
    ingress: {
      enabled: true,
      className: 'nginx',
      host: 'hub.example.com',
      tlsSecret: 'hub-tls',
      annotations: { a: 'b' },
    },
    networkPolicy: {
      from: [{ namespaceSelector: {} }],
      to: [{ podSelector: { matchLabels: { app: 'postgres' } } }],
    },
    podMonitor: { enabled: true, labels: { release: 'prometheus' }, tokenSecret: { name: 'metrics' } },
    api: { autoscaling: { enabled: false } },
  };

  function chart(values: object) {
    const script = fileURLToPath(new URL('chart.py', import.meta.url));
    const { stdout, said } = run(tool('python'), [script, join(DEPLOY, 'helm/moonbase')], {}, JSON.stringify(values));
    if (!stdout) throw new Error(said);
    const { faults, files } = JSON.parse(stdout) as { faults: string[]; files: Record<string, string> };
    const text = Object.entries(files)
      .filter(([name, file]) => name.endsWith('.yaml') && file.trim() !== '')
      .map(([, file]) => file)
      .join('\n---\n');
    const manifests = parseAllDocuments(text).map((document) => document.toJS() as Manifest | null);
    return { faults, text, manifests: manifests.filter((each) => each !== null) };
  }

  test.each([
    ['the least values', least],
    ['every value', most],
  ])('with %s conforms to Helm and the schemas of Kubernetes 1.37', (name, values) => {
    const { faults, text, manifests } = chart(values);
    expect(faults).toEqual([]);
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, text);
    const { status, said } = run(tool('kubernetes-validate'), ['--strict', '--kubernetes-version', '1.37', file]);
    expect(status, said).toBe(0);
    expect(said.match(/ passed for resource /g)).toHaveLength(
      manifests.filter(({ kind }) => kind !== 'PodMonitor').length,
    );
  });

  test('runs every pod under the profile "restricted", on a read-only root file system', () => {
    const pods = chart(most).manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
    expect(pods.map(({ metadata }) => metadata.name).sort()).toEqual([
      'hub-moonbase-api',
      'hub-moonbase-migrate',
      'hub-moonbase-worker',
    ]);
    for (const { spec } of pods)
      expect(spec).toMatchObject({
        template: {
          spec: {
            automountServiceAccountToken: false,
            securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
            containers: [
              {
                securityContext: {
                  allowPrivilegeEscalation: false,
                  readOnlyRootFilesystem: true,
                  capabilities: { drop: ['ALL'] },
                },
              },
            ],
          },
        },
      });
  });

  test('gives every pod the claimed volume as its data folder, and an empty one without a claim', () => {
    const dataOf = (values: object) =>
      chart(values)
        .manifests.filter(({ kind }) => kind === 'Deployment')
        .map(({ spec }) => spec);
    const having = (data: object) => ({ template: { spec: { volumes: expect.arrayContaining([data]) } } });
    const claimed = { name: 'data', persistentVolumeClaim: { claimName: 'hub-files' } };
    for (const spec of dataOf(most)) expect(spec).toMatchObject(having(claimed));
    for (const spec of dataOf(least)) expect(spec).toMatchObject(having({ name: 'data', emptyDir: {} }));
  });

  test('gives its figures the name of the job that alerts and dashboard look for', () => {
    const monitor = chart(most).manifests.find(({ kind }) => kind === 'PodMonitor')?.spec as { jobLabel: string };
    const pods = chart(most).manifests.filter(({ kind }) => kind === 'Deployment');
    for (const { spec } of pods)
      expect(spec).toMatchObject({ template: { metadata: { labels: { [monitor.jobLabel]: 'moonbase' } } } });
    const jobs = ['prometheus/alerts.yaml', 'grafana/moonbase.json'].flatMap((file) =>
      [...readFileSync(join(DEPLOY, file), 'utf8').matchAll(/\bjob=\\?"([^"\\]+)/g)].map(([, name]) => name),
    );
    expect(new Set(jobs)).toEqual(new Set(['moonbase']));
  });

  test('migrates before the pods of a release start, and gives a stopping pod the time to drain', () => {
    const { manifests } = chart({ ...least, drainSeconds: 60 });
    const named = (name: string) => manifests.find(({ kind, metadata }) => `${kind} ${metadata.name}` === name);
    expect(named('Job hub-moonbase-migrate')?.metadata.annotations).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
    });
    expect(named('Deployment hub-moonbase-worker')?.spec).toMatchObject({
      template: { spec: { terminationGracePeriodSeconds: 90 } },
    });
  });

  test.each([
    ['no secret', { publicUrl: 'https://hub.example.com' }, '/existingSecret'],
    ['no address', { existingSecret: 'moonbase' }, '/publicUrl'],
    ['a name that is not a setting', { ...least, settings: { PATH: '/' } }, "'PATH'"],
    ['an unknown value', { ...least, replicas: 2 }, 'replicas'],
    [
      'an ingress whose addresses are not trusted',
      { ...least, ingress: { enabled: true, host: 'hub.example.com' } },
      '/trustedProxies',
    ],
  ])('is refused with %s', (_name, values, fault) => {
    expect(chart(values).faults.join('\n')).toContain(fault);
  });
});

const systemd = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!systemd) console.warn('moonbase.service is not looked at: there is no systemd-analyze');

describe.skipIf(!systemd)('moonbase.service', () => {
  const unit = () => {
    const text = readFileSync(join(DEPLOY, 'systemd/moonbase.service'), 'utf8');
    const file = join(folder, 'moonbase.service');
    // The unit must name the Node.js of this machine.
    writeFileSync(file, text.replace('/usr/bin/node', process.execPath));
    return file;
  };

  test('is a valid systemd unit', () => {
    expect(run('systemd-analyze', ['verify', '--man=no', unit()])).toMatchObject({ status: 0, said: '' });
  });

  test('starts the hub again for as long as its database is away', () => {
    const text = readFileSync(unit(), 'utf8');
    expect(text).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(text).toMatch(/^Restart=on-failure$/m);
  });

  test('restricts the access of the hub to the machine', () => {
    const said = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit()], {
      encoding: 'utf8',
    });
    const level = Number(/Overall exposure level for moonbase\.service: (\d+\.\d)/.exec(said)?.[1]);
    expect(level).toBeLessThanOrEqual(1.5);
  });
});
