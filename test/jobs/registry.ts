import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { DockerFixture } from './fixture.ts';
import { IMAGE } from './podman.ts';

/** A registry that offers one image under every name, and is slow to answer for the name `slow`. */
export interface Registry extends AsyncDisposable {
  /** The digest of the image. */
  readonly digest: string;
  /** The paths of all requests. */
  readonly asked: string[];
  /** Answers the requests that wait. */
  release(): void;
}

export async function startRegistry(address: string, fixture: DockerFixture): Promise<Registry> {
  const folder = join(fixture.folder, 'image');
  await fixture.podman('save', '--format', 'docker-dir', '--output', folder, IMAGE);
  const manifest = await readFile(join(folder, 'manifest.json'));
  const digest = `sha256:${createHash('sha256').update(manifest).digest('hex')}`;
  const { mediaType } = JSON.parse(manifest.toString()) as { mediaType: string };
  const asked: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answer = async (url: string, response: ServerResponse): Promise<void> => {
    asked.push(url);
    if (url.includes('/slow/')) await released;
    const blob = /\/blobs\/sha256:([0-9a-f]+)$/.exec(url)?.[1];
    if (url === '/v2/') response.end('{}');
    else if (url.includes('/missing/')) response.writeHead(404).end('{"errors":[{"code":"MANIFEST_UNKNOWN"}]}');
    else if (blob) response.end(await readFile(join(folder, blob)));
    else response.setHeader('docker-content-digest', digest).setHeader('content-type', mediaType).end(manifest);
  };
  const server = createServer(({ url = '' }, response) => {
    answer(url, response).catch(() => response.destroy());
  });
  const [host, port] = address.split(':');
  await new Promise<void>((resolve) => server.listen(Number(port), host, resolve));
  return {
    digest,
    asked,
    release,
    async [Symbol.asyncDispose]() {
      release();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
