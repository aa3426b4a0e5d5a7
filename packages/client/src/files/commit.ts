import type * as routes from '@moonbase/contract/content/committing';
import type { SuccessAnswer } from '../operation.ts';
import { repoParams } from '../repo-name.ts';
import { answerOf, type Hub, type HubRequest, send, urlOf } from '../request.ts';
import { followingRedirects } from './redirects.ts';
import type { Destination } from './repo-file.ts';
import { retrying } from './retrying.ts';
import { base64Of, bytesOf, type FileSource, streamOf } from './source.ts';

/** A change that a commit makes. */
export type CommitOperation =
  | { readonly kind: 'file'; readonly path: string; readonly source: FileSource }
  | { readonly kind: 'large-file'; readonly path: string; readonly sha256: string; readonly size: number }
  /** A path that ends with a slash names a folder. */
  | { readonly kind: 'deletion'; readonly path: string };

export interface CommitMessage {
  readonly summary: string;
  readonly description?: string | undefined;
  /** The expected head of the branch; if it differs, the hub responds with 412. */
  readonly parentCommit?: string | undefined;
}

export type Commit = SuccessAnswer<typeof routes.createCommit>;

/**
 * Commits to a branch, or opens a pull request with a commit. A commit with a parent is sent again after a lost
 * connection, because the hub recognizes the repetition.
 */
export async function sendCommit(
  hub: Hub,
  at: Destination,
  message: CommitMessage,
  operations: readonly CommitOperation[],
): Promise<Commit> {
  const path: (typeof routes.createCommit)['path'] = '/api/{repoType}/{namespace}/{repo}/commit/{rev}';
  const query = { create_pr: at.createPullRequest || undefined };
  const url = urlOf(hub, { path, params: { ...repoParams(at), rev: at.branch }, query });
  const attempt = async () => {
    const request = await requestOf(message, operations);
    const { stream } = request;
    const sender = stream ? { ...hub, fetch: followingRedirects(hub.fetch ?? fetch, stream) } : hub;
    return answerOf<Commit>(await send(sender, url, request), url);
  };
  return message.parentCommit === undefined || at.createPullRequest ? attempt() : retrying(hub, attempt);
}

const TYPE = 'application/x-ndjson';

/** Builds the request: a blob from a browser's files, otherwise a stream that holds one file at a time in memory. */
async function requestOf(message: CommitMessage, operations: readonly CommitOperation[]): Promise<HubRequest> {
  const lines = () => linesOf(message, operations);
  if (operations.some((each) => each.kind === 'file' && !(each.source instanceof Blob)))
    return { method: 'POST', headers: { 'Content-Type': TYPE }, stream: () => streamOf(encoded(lines())) };
  const parts: string[] = [];
  for await (const line of lines()) parts.push(line);
  return { method: 'POST', rawBody: new Blob(parts, { type: TYPE }) };
}

async function* encoded(lines: AsyncGenerator<string, void>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for await (const line of lines) yield encoder.encode(line);
}

async function* linesOf(message: CommitMessage, operations: readonly CommitOperation[]): AsyncGenerator<string, void> {
  yield lineOf('header', message);
  for (const operation of operations) yield await lineOfOperation(operation);
}

const lineOf = (key: string, value: object): string => `${JSON.stringify({ key, value })}\n`;

async function lineOfOperation(operation: CommitOperation): Promise<string> {
  const { kind, path } = operation;
  switch (kind) {
    case 'file':
      return lineOf('file', { path, content: base64Of(await bytesOf(operation.source)), encoding: 'base64' });
    case 'large-file':
      return lineOf('lfsFile', { path, algo: 'sha256', oid: operation.sha256, size: operation.size });
    case 'deletion':
      return path.endsWith('/') ? lineOf('deletedFolder', { path }) : lineOf('deletedFile', { path });
  }
}
