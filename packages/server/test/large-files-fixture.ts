import { createRepo } from '@moonbase/client/repositories';
import { createAddresses, type Purpose } from '../src/lfs/addresses.ts';
import type { BlobName } from '../src/platform/blobs/blob-store.ts';
import { createSigner } from '../src/platform/secrets.ts';
import { contractFetch } from './contract-fetch.ts';
import { startHub, type TestHub, tokenOf } from './harness.ts';
import { SECRET_KEY } from './unsubscribe-token.ts';

export const LFS = 'application/vnd.git-lfs+json';

type Overrides = NonNullable<Parameters<typeof startHub>[1]>;

/** Starts a hub with alice and bob, each with a private model `secret` and a public one `open`. */
export async function startWithRepos(
  settings: Readonly<Record<string, string>> = {},
  overrides: Overrides = {},
): Promise<TestHub> {
  const hub = await startHub({ MOONBASE_SECRET_KEY: SECRET_KEY, ...settings }, overrides);
  await hub.people('alice', 'bob');
  for (const user of ['alice', 'bob']) {
    await createRepo({ ...hub.as(user), repo: `${user}/secret`, private: true });
    await createRepo({ ...hub.as(user), repo: `${user}/open` });
  }
  return hub;
}

interface Action {
  readonly href: string;
  readonly header?: Record<string, string>;
  readonly expires_in: number;
}

export interface BatchAnswer {
  readonly transfer: string;
  readonly objects: {
    readonly oid: string;
    readonly size: number;
    readonly actions?: { readonly upload?: Action; readonly verify?: Action; readonly download?: Action };
    readonly error?: { readonly code: number; readonly message: string };
  }[];
}

/** Sends a request as clients of git LFS do. */
export function postLfs(hub: TestHub, user: string, path: string, body: unknown, type = LFS): Promise<Response> {
  return contractFetch(path.startsWith('http') ? path : hub.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokenOf(user)}`, 'content-type': type, accept: LFS },
    body: JSON.stringify(body),
  });
}

export const postBatch = (hub: TestHub, user: string, repo: string, body: unknown): Promise<Response> =>
  postLfs(hub, user, `/${repo}.git/info/lfs/objects/batch`, body);

export async function batch(hub: TestHub, user: string, repo: string, body: object): Promise<BatchAnswer> {
  const answer = await postBatch(hub, user, repo, { transfers: ['basic', 'multipart'], hash_algo: 'sha256', ...body });
  if (answer.status !== 200) throw new Error(`The batch call answered ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as BatchAnswer;
}

const objectOf = ({ sha256, size }: BlobName) => ({ oid: sha256, size });

/** Returns the address for an upload from a batch call, or undefined if the file need not be sent. */
export async function uploadUrl(hub: TestHub, user: string, repo: string, name: BlobName): Promise<string | undefined> {
  const { objects } = await batch(hub, user, repo, { operation: 'upload', objects: [objectOf(name)] });
  return objects[0]?.actions?.upload?.href;
}

/** Returns the address of a download, or the code of the error. */
export async function downloadUrl(hub: TestHub, user: string, repo: string, name: BlobName): Promise<string> {
  const { objects } = await batch(hub, user, repo, { operation: 'download', objects: [objectOf(name)] });
  return objects[0]?.actions?.download?.href ?? String(objects[0]?.error?.code);
}

export const put = (url: string, bytes: Uint8Array): Promise<Response> =>
  contractFetch(url, { method: 'PUT', body: new Uint8Array(bytes) });

export async function upload(hub: TestHub, user: string, repo: string, name: BlobName, bytes: Uint8Array) {
  const answer = await put((await uploadUrl(hub, user, repo, name)) ?? '', bytes);
  if (answer.status !== 200) throw new Error(`The upload answered ${answer.status} ${await answer.text()}`);
}

/** Returns a signed address in the form of the hub, with any content. */
export const addressFor = (hub: TestHub, purpose: Purpose): string =>
  createAddresses({ signer: createSigner(SECRET_KEY, 'addresses of files'), clock: hub.clock }).urlFor(
    hub.url,
    purpose,
  );

export async function idOf(hub: TestHub, table: 'accounts' | 'repositories', name: string): Promise<string> {
  const [owner = '', repo] = name.split('/');
  const account = await hub.database.read
    .selectFrom('accounts')
    .select('id')
    .where('name_key', '=', owner)
    .executeTakeFirstOrThrow();
  if (table === 'accounts') return account.id;
  const { id } = await hub.database.read
    .selectFrom('repositories')
    .select('id')
    .where('owner_id', '=', account.id)
    .where('name_key', '=', repo ?? '')
    .executeTakeFirstOrThrow();
  return id;
}
