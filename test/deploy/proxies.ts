import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DEBIAN_ENVIRONMENT, fromDebian } from './debian.ts';
import { DEPLOY } from './tools.ts';

export const PROXIES = ['nginx', 'Caddy'] as const;
type Proxy = (typeof PROXIES)[number];

/** What the examples are given in place of what an operator changes in them. */
interface Place {
  readonly folder: string;
  readonly port: number;
  /** The port without TLS. */
  readonly plainPort: number;
  /** The address of the hub, without a scheme. */
  readonly hub: string;
  readonly certificate: string;
  readonly key: string;
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('A server without a port.');
  return address.port;
}

/** Makes a certificate for `localhost`, which is also that of its authority. */
export function makeCertificate(folder: string): { readonly certificate: string; readonly key: string } {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...made, ...subject], { stdio: 'ignore' });
  return { certificate, key };
}

/** Replaces each text, which must be there, by another. */
function replacing(text: string, changes: Readonly<Record<string, string>>): string {
  for (const [before, after] of Object.entries(changes)) {
    if (!text.includes(before)) throw new Error(`The example has no ${before}`);
    text = text.replaceAll(before, after);
  }
  return text;
}

function nginx({ folder, port, plainPort, hub, certificate, key }: Place): [string, string[]] {
  const example = replacing(readFileSync(join(DEPLOY, 'nginx/moonbase.conf'), 'utf8'), {
    '127.0.0.1:7780': hub,
    'listen 80;': `listen 127.0.0.1:${plainPort};`,
    'listen 443 ssl http2;': `listen 127.0.0.1:${port} ssl http2;`,
    'server_name hub.example.com;': 'server_name localhost;',
    '/etc/ssl/hub.example.com.pem': certificate,
    '/etc/ssl/private/hub.example.com.key': key,
  });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const conf = join(folder, 'nginx.conf');
  writeFileSync(
    conf,
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${folder}/nginx.pid; error_log stderr; worker_processes 1; events {}
    http { access_log off; ${temporary.join(' ')}\n${example}}`,
  );
  return [fromDebian('usr/sbin/nginx'), ['-c', conf, '-e', 'stderr', '-p', folder]];
}

function caddy({ folder, port, hub, certificate, key }: Place): [string, string[]] {
  const example = replacing(readFileSync(join(DEPLOY, 'caddy/Caddyfile'), 'utf8'), {
    'hub.example.com {': `{\n\tadmin off\n\tauto_https disable_redirects\n}\nhttps://localhost:${port} {\n\ttls ${certificate} ${key}`,
    '127.0.0.1:7780': hub,
  });
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, example);
  return [fromDebian('usr/bin/caddy'), ['run', '--config', file, '--adapter', 'caddyfile']];
}

const COMMANDS: Readonly<Record<Proxy, (place: Place) => [string, string[]]>> = { nginx, Caddy: caddy };

/** Starts a proxy with the example of deploy/ and waits until it answers; throws with its output if it ends. */
export async function startProxy(
  proxy: Proxy,
  place: Place,
  isReady: () => Promise<boolean>,
): Promise<AsyncDisposable> {
  const home = join(place.folder, 'home');
  mkdirSync(home, { recursive: true });
  const [program, args] = COMMANDS[proxy](place);
  const env = { ...DEBIAN_ENVIRONMENT, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
  const child: ChildProcess = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr?.on('data', (text: Buffer) => (said += text.toString()));
  const ended = once(child, 'exit');
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${proxy} ended: ${said}`);
    await pause(50);
  }
  return {
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}
