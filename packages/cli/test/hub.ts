import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyHub, type HubDocument } from '@moonbase/client/admin';
import { createHub } from '@moonbase/server';
import { readConfig } from '@moonbase/server/config';
import { run } from '../src/program/program.ts';
import type { Terminal } from '../src/terminal/terminal.ts';

export const ADMIN = 'hf_administrator';
export const tokenOf = (user: string): string => `hf_tokenOf${user}00`;

/** Returns a user for a hub document, with a known token. */
export const person = (name: string) => ({
  name,
  tokens: [{ name: 'test', role: 'write' as const, token: tokenOf(name) }],
});

/** The result of a command. */
export interface Outcome {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

export type Around = Partial<Omit<Terminal, 'out' | 'err' | 'stdin'>> & {
  readonly stdin?: string;
  /** Called with all of standard output so far. */
  readonly heard?: (out: string) => void;
};

/** Runs the command and captures its output; without a terminal, unless one is given. */
export async function moonbase(argv: readonly string[], around: Around = {}): Promise<Outcome> {
  const { stdin = '', heard, ...terminal } = around;
  let [out, err] = ['', ''];
  const status = await run(argv, {
    env: {},
    ...terminal,
    stdin: (async function* () {
      yield stdin;
    })(),
    out(text) {
      out += text;
      heard?.(out);
    },
    err(text) {
      err += text;
    },
  });
  return { status, out, err };
}

export interface RunningHub extends AsyncDisposable {
  readonly hubUrl: string;
  readonly folder: string;
  /** A URL that accepts every delivery, and the received deliveries. */
  readonly receiver: string;
  readonly received: readonly unknown[];
  apply(document: HubDocument): Promise<unknown>;
  /** The command as a user, or as the site administrator. */
  as(user: string, argv: readonly string[], around?: Around): Promise<Outcome>;
}

/** A real hub with background work, jobs as processes of this machine, and a receiver. */
export async function startHub(): Promise<RunningHub> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-cli-'));
  const environment = {
    ...{ MOONBASE_PORT: '0', MOONBASE_DATA_DIR: folder, MOONBASE_LOG_LEVEL: 'error' },
    ...{ MOONBASE_ADMIN_TOKEN: ADMIN, MOONBASE_JOBS_RUNNER: 'process' },
  };
  const hub = await createHub(readConfig(environment));
  await hub.prepare();
  const hubUrl = await hub.start();
  const received: unknown[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      received.push(JSON.parse(body));
      response.writeHead(request.url === '/gone' ? 410 : 200).end('ok');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const accessToken = (user: string) => (user === 'admin' ? ADMIN : tokenOf(user));
  return {
    hubUrl,
    folder,
    receiver: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    received,
    apply: (document) => applyHub({ hubUrl, accessToken: ADMIN, document }),
    as(user, argv, { env, ...around } = {}) {
      return moonbase(argv, { ...around, env: { MOONBASE_URL: hubUrl, MOONBASE_TOKEN: accessToken(user), ...env } });
    },
    async [Symbol.asyncDispose]() {
      await hub.stop();
      receiver.closeAllConnections();
      receiver.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
