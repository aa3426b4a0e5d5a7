import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

type OnAnswered = (socket: Socket, status: number, requestId: string) => void;

/**
 * Responds to requests that the HTTP parser rejects, with the body and headers of any other error; no hook runs for
 * such requests.
 */
export const answerUnreadable =
  (headers: Readonly<Record<string, string>>, onAnswered: OnAnswered = () => {}) =>
  (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [status, message] = faultOf(error.code);
    const body = JSON.stringify({ error: message });
    const requestId = randomUUID();
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body.length}`,
      `X-Request-Id: ${requestId}`,
      `X-Error-Message: ${message}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
    ];
    onAnswered(socket, status, requestId);
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    socket.destroySoon();
  };

function faultOf(code: string | undefined): [status: number, message: string] {
  switch (code ?? '') {
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'The URL and the headers are too long: the limit is 16 KiB'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'The request was not complete in time'];
    default:
      return [400, 'This is not a valid HTTP request'];
  }
}
