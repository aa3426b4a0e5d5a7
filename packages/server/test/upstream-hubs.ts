import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lfsBatch } from '@moonbase/client/large-files';
import { type Change, jsonOf, ndjson } from './content-hub.ts';
import { contractFetch } from './contract-fetch.ts';
import { startHub, type TestHub, tokenOf } from './harness.ts';

type Overrides = Parameters<typeof startHub>[1];
type Settings = Readonly<Record<string, string>>;

/** A request that reached the upstream. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Answers a request in place of the upstream; undefined lets it through. */
export type Interfere = (request: IncomingMessage, response: ServerResponse) => unknown;

/** What stands between the hub and its upstream: it records requests, and interferes with them. */
export async function between(target: string) {
  const asked: Asked[] = [];
  let interfere: Interfere = () => undefined;
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    asked.push({ method, url, headers });
    response.on('error', () => {});
    if (interfere(request, response) !== undefined) return;
    const passed = send(target + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    /** Returns the requests so far, as texts, and forgets them. */
    take: () => asked.splice(0).map(({ method, url }) => `${method} ${url}`),
    let(how: Interfere) {
      interfere = how;
    },
    /** Lets every request break off. */
    away() {
      interfere = (request) => {
        request.socket.destroy();
        return true;
      };
    },
    back() {
      interfere = () => undefined;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Serves bytes at another address than the upstream. */
export async function elsewhere(bytes: Uint8Array) {
  const asked: Asked[] = [];
  const server = createServer(({ method = '', url = '', headers }, response) => {
    asked.push({ method, url, headers });
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Commits to a repository of a hub; returns the commit. */
export async function commitAt(hub: TestHub, user: string, repo: string, change: Change): Promise<string> {
  const response = await fetch(`${hub.url}/api/${repo}/commit/main`, {
    method: 'POST',
    body: ndjson(change),
    headers: { authorization: `Bearer ${tokenOf(user)}`, 'content-type': 'application/x-ndjson' },
  });
  const { commitOid } = await jsonOf<{ commitOid: string }>(response);
  return commitOid;
}

/** A busy machine makes no upstream of a test a slow one. */
const PATIENT = { answerMs: 60_000, waitMs: 60_000 };

export type UpstreamHubs = Awaited<ReturnType<typeof upstreamHubs>>;

/**
 * Starts a hub with the user ada, and one with the user bob whose upstream is the first. Requests to the upstream pass
 * `wire`, and carry a token of ada that reads.
 */
export async function upstreamHubs(settings: Settings = {}, overrides: Overrides = {}) {
  const upstream = await startHub();
  await upstream.people('ada');
  const wire = await between(upstream.url);
  const hub = await startHub(
    { MOONBASE_UPSTREAM_URL: wire.url, MOONBASE_UPSTREAM_TOKEN: tokenOf('ada'), ...settings },
    { upstreamTimes: PATIENT, ...overrides },
  );
  await hub.people('bob');
  const ask = (path: string, init: RequestInit = {}, token: string | undefined = tokenOf('bob')) =>
    contractFetch(hub.url + path, {
      ...init,
      redirect: 'manual',
      headers: {
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...Object.fromEntries(new Headers(init.headers)),
      },
    });
  return {
    ...{ upstream, wire, hub, ask },
    json: async <T>(path: string, init?: RequestInit): Promise<T> => jsonOf<T>(await ask(path, init)),
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await wire[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

/** After this, the hub asks again what its upstream has. */
const FRESH_MS = 300_000;

/** Adds a large file of random bytes to a repository of ada at the upstream. */
export async function addLargeFile({ upstream, hub }: UpstreamHubs, repo: string, path: string, size: number) {
  const bytes = randomBytes(size);
  const oid = createHash('sha256').update(bytes).digest('hex');
  const ada = upstream.as('ada');
  const { objects } = await lfsBatch({ ...ada, repo, operation: 'upload', objects: [{ oid, size }] });
  const href = objects[0]?.actions?.upload?.href ?? '';
  await fetch(href, { method: 'PUT', body: bytes });
  const line = { key: 'lfsFile', value: { path, algo: 'sha256', oid, size } };
  const commit = await commitAt(upstream, 'ada', `models/${repo}`, { lines: [line] });
  hub.clock.advance(FRESH_MS);
  return { bytes, oid, commit, path: `/${repo}/resolve/main/${path}` };
}
