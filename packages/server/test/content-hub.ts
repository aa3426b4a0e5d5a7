import { createHash } from 'node:crypto';
import { lfsBatch } from '@moonbase/client/large-files';
import { createRepo } from '@moonbase/client/repositories';
import { startHub, tokenOf } from './harness.ts';

const BASE64 = 'base64';

/** Request options whose headers are an object. */
type Asking = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

export interface Change {
  readonly summary?: string;
  readonly parentCommit?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly deleted?: readonly string[];
  readonly lines?: readonly object[];
}

export function ndjson({ summary = 'change', parentCommit, files = {}, deleted = [], lines = [] }: Change): string {
  return [
    { key: 'header', value: { summary, description: '', ...(parentCommit && { parentCommit }) } },
    ...deleted.map((path) => ({ key: path.endsWith('/') ? 'deletedFolder' : 'deletedFile', value: { path } })),
    ...Object.entries(files).map(([path, content]) => ({
      key: 'file',
      value: { path, content: Buffer.from(content).toString(BASE64), encoding: BASE64 },
    })),
    ...lines,
  ]
    .map((line) => JSON.stringify(line))
    .join('\n');
}

type Overrides = Parameters<typeof startHub>[1];

/** Starts a hub with ada and bob, and the model `ada/m`. */
export async function contentHub(overrides: Overrides = {}, settings: Readonly<Record<string, string>> = {}) {
  const hub = await startHub(settings, overrides);
  await hub.people('ada', 'bob');
  await createRepo({ ...hub.as('ada'), repo: 'ada/m' });
  const ask = (path: string, init: Asking = {}, user = 'ada') =>
    fetch(hub.url + path, { ...init, headers: { authorization: `Bearer ${tokenOf(user)}`, ...init.headers } });
  const commit = async (change: Change, { repo = 'models/ada/m', branch = 'main', user = 'ada' } = {}) => {
    const response = await ask(
      `/api/${repo}/commit/${encodeURIComponent(branch)}`,
      { method: 'POST', body: ndjson(change), headers: { 'content-type': 'application/x-ndjson' } },
      user,
    );
    const answer: { commitOid: string } = await jsonOf(response);
    return { status: response.status, code: response.headers.get('x-error-code'), ...answer };
  };
  /** Returns the payloads of events about repositories, in order. */
  const payloads = async () => {
    const events = await hub.database.read
      .selectFrom('events')
      .select('data')
      .where('topic', '=', 'repo')
      .orderBy('id')
      .execute();
    return events.map(({ data }) => JSON.parse(data).payload);
  };
  const info = async (query = ''): Promise<Info> => jsonOf(await ask(`/api/models/ada/m${query}`));
  const tree = async (rest: string): Promise<Item[]> => jsonOf(await ask(`/api/models/ada/m/tree/${rest}`));
  /** Uploads a large file to `ada/m`; returns its SHA-256. */
  const upload = async (bytes: Uint8Array, { repo = 'ada/m', user = 'ada' } = {}): Promise<string> => {
    const oid = createHash('sha256').update(bytes).digest('hex');
    const asked = { oid, size: bytes.length };
    const { objects } = await lfsBatch({ ...hub.as(user), repo, operation: 'upload', objects: [asked] });
    const href = objects[0]?.actions?.upload?.href;
    if (href !== undefined) await fetch(href, { method: 'PUT', body: new Uint8Array(bytes) });
    return oid;
  };
  return { hub, ask, upload, commit, info, tree, payloads, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

interface Info {
  readonly sha: string;
  readonly siblings: readonly object[];
  readonly usedStorage: number;
}

export interface Item {
  readonly path: string;
  readonly oid: string;
  readonly lastCommit?: { readonly id: string };
}

export async function jsonOf<T>(response: Response): Promise<T> {
  const answer: T = JSON.parse(await response.text());
  return answer;
}

export const pathsOf = (items: readonly { path: string }[]) => items.map(({ path }) => path);
