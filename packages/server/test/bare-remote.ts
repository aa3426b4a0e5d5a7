import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gitClient } from './git-client.ts';

interface Options {
  /** Answers a request itself; returns false to let git answer. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** Serves the bare repositories of a folder by `git http-backend`; stock git works in the same folder. */
export async function bareRemote({ answer = () => false }: Options = {}) {
  const client = await gitClient();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (!answer(request, response)) serve(client.folder, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ client, requests },
    url: `http://127.0.0.1:${port}`,
    git: (where: string, ...args: string[]) => client.run(where, ...args),
    /** Creates a bare repository and a clone of it, `<name>-clone`. */
    async create(name: string, branch = 'main') {
      await client.run('.', 'init', '--quiet', '--bare', `--initial-branch=${branch}`, `${name}.git`);
      await client.run('.', 'clone', '--quiet', `${name}.git`, `${name}-clone`);
      await client.run(`${name}-clone`, 'checkout', '--quiet', '-B', branch);
      return `http://127.0.0.1:${port}/${name}.git`;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await client[Symbol.asyncDispose]();
    },
  };
}

/** Passes a request to git as CGI (RFC 3875), and its answer back. */
function serve(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...{ PATH: process.env.PATH, HOME: folder, GIT_PROJECT_ROOT: folder, GIT_HTTP_EXPORT_ALL: '1' },
      ...{ GIT_CONFIG_NOSYSTEM: '1', REQUEST_METHOD: request.method, PATH_INFO: decodeURIComponent(pathname) },
      ...{ QUERY_STRING: search.slice(1), CONTENT_TYPE: request.headers['content-type'] ?? '' },
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      CONTENT_LENGTH: request.headers['content-length'] ?? '',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  response.once('close', () => child.kill());
  let head = Buffer.alloc(0);
  let isBegun = false;
  child.stdout.on('data', (chunk: Buffer) => {
    if (isBegun) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    isBegun = true;
    const headers = head.subarray(0, end).toString().split('\r\n');
    const fields = headers.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]);
    const status = Number(fields.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200);
    response.writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== 'Status')));
    response.write(head.subarray(end + 4));
  });
  child.stdout.once('end', () => response.end());
}
