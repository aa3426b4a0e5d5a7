import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { DELIMITER, FLUSH, pktLine } from '../src/git/protocol/pkt-line.ts';
import type { Connection } from './harness.ts';

/** Asks for all objects of a commit, and reads nothing of the response. */
export async function fetchWithoutReading(
  { hubUrl, accessToken }: Pick<Connection, 'hubUrl' | 'accessToken'>,
  repo: string,
  commit: string,
): Promise<Socket> {
  const body = Buffer.concat([pktLine('command=fetch'), DELIMITER, pktLine(`want ${commit}`), pktLine('done'), FLUSH]);
  const { host, hostname, port } = new URL(hubUrl);
  const socket = connect(Number(port), hostname);
  socket.pause().on('error', () => {});
  await once(socket, 'connect');
  const lines = [
    `POST /${repo}/git-upload-pack HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${accessToken}`,
    'content-type: application/x-git-upload-pack-request',
    'git-protocol: version=2',
    `content-length: ${body.length}`,
  ];
  socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]));
  return socket;
}
