import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../authenticate.ts';
import { routeOf } from '../routing/matched-route.ts';

interface AccessLogger {
  info(details: object, message: string): void;
  debug(details: object, message: string): void;
}

interface Ports {
  readonly logger: AccessLogger;
  /** Returns the caller of a request as far as it is known, without looking it up. */
  readonly principalOf: (request: FastifyRequest) => Principal | undefined;
}

interface Connection {
  /** The bytes written when the last response ended. Responses to pipelined requests may count for the one before. */
  written: number;
  /** The number of requests whose responses have not ended. */
  pending: number;
}

export type AccessLog = ReturnType<typeof createAccessLog>;

/** What is asked every few seconds is a line at the level `debug` while it succeeds. */
const PROBES = new Set(['/health', '/ready', '/metrics']);

/** The status in the line of a request whose client left before the response began. */
const CLIENT_LEFT = 499;

/**
 * Writes a line for each request at its end, including those whose client left. The line has the declared path of the
 * route instead of the URL, which may contain codes and tokens; neither headers nor bodies are in it.
 */
export function createAccessLog({ logger, principalOf }: Ports) {
  const connections = new WeakMap<Socket, Connection>();

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket) ?? { written: 0, pending: 0 };
    connections.set(socket, known);
    return known;
  }

  return {
    /** Called when a request begins; the line is written when its response has ended. */
    begin(request: FastifyRequest, reply: FastifyReply): void {
      const at = performance.now();
      const { raw } = reply;
      const { socket } = request.raw;
      const connection = connectionOf(socket);
      connection.pending += 1;
      raw.once('close', () => {
        connection.pending -= 1;
        const bytes = socket.bytesWritten - connection.written;
        connection.written = socket.bytesWritten;
        const route = routeOf(request)?.path ?? request.routeOptions.url ?? 'none';
        const principal = principalOf(request);
        const status = raw.headersSent ? raw.statusCode : CLIENT_LEFT;
        const line = {
          method: request.method,
          route,
          status,
          ms: Math.round((performance.now() - at) * 10) / 10,
          bytes,
          user: principal?.userName,
          token: principal?.token.last4,
          address: request.ip,
          requestId: request.id,
          aborted: raw.writableFinished ? undefined : true,
        };
        if (PROBES.has(route) && status < 400) logger.debug(line, 'request');
        else logger.info(line, 'request');
      });
    },

    /** Writes the line of a request that could not be read, unless it began and gets its line at its end. */
    unreadable(socket: Socket, status: number, requestId: string): void {
      if (connections.get(socket)?.pending) return;
      logger.info({ route: 'none', status, address: socket.remoteAddress, requestId }, 'request');
    },
  };
}
