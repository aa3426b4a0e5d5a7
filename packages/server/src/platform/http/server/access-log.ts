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
  /** Bytes that connections had written when their last response ended. */
  const written = new WeakMap<object, number>();

  function bytesSince({ socket }: FastifyRequest['raw']): number {
    const total = socket.bytesWritten;
    const before = written.get(socket) ?? 0;
    written.set(socket, total);
    return total - before;
  }

  return {
    /** Called when a request begins; the line is written when its response has ended. */
    begin(request: FastifyRequest, reply: FastifyReply): void {
      const at = performance.now();
      const { raw } = reply;
      raw.once('close', () => {
        const route = routeOf(request)?.path ?? request.routeOptions.url ?? 'none';
        const principal = principalOf(request);
        const status = raw.headersSent ? raw.statusCode : CLIENT_LEFT;
        const line = {
          method: request.method,
          route,
          status,
          ms: Math.round((performance.now() - at) * 10) / 10,
          bytes: bytesSince(request.raw),
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

    /** Writes the line of a request that could not be read. */
    unreadable: (address: string | undefined, status: number, requestId: string): void =>
      logger.info({ route: 'none', status, address, requestId }, 'request'),
  };
}
