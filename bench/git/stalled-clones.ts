import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { DELIMITER, FLUSH, pktLine } from '../../packages/server/src/git/protocol/pkt-line.ts';
import { ACCESS_TOKEN, type BenchHub } from '../hub.ts';

/** Clients that ask for all objects of a repository and read nothing of the response. */
export interface StalledClones extends Disposable {
  readonly count: number;
}

/** Begins clones that stall. */
export async function stallClones(hub: BenchHub, repo: string, head: string, count: number): Promise<StalledClones> {
  const body = Buffer.concat([pktLine('command=fetch'), DELIMITER, pktLine(`want ${head}`), pktLine('done'), FLUSH]);
  const lines = [
    `POST /${repo}/git-upload-pack HTTP/1.1`,
    `host: ${hub.url.host}`,
    `authorization: Basic ${Buffer.from(`anybody:${ACCESS_TOKEN}`).toString('base64')}`,
    'content-type: application/x-git-upload-pack-request',
    'git-protocol: version=2',
    `content-length: ${body.length}`,
  ];
  const sockets: Socket[] = [];
  for (let at = 0; at < count; at++) {
    const socket = connect(Number(hub.url.port), hub.url.hostname);
    socket.pause().on('error', () => {});
    await once(socket, 'connect');
    socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]));
    sockets.push(socket);
  }
  return {
    count,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
