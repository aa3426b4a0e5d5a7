import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** The time that closing waits for pending responses: slightly longer than one outbound request may take. */
const GRACE_MS = 15_000;

/**
 * Closes the server gracefully: refuses new connections and waits for pending responses, but not for idle connections,
 * which the server must be told to close. Once `isShuttingDown` returns true, connections end with their current
 * response.
 */
export function closeGracefully(app: FastifyInstance, isShuttingDown: () => boolean): void {
  const pending = new Set<Promise<void>>();
  app.server.prependListener('request', (_request, response) => {
    if (isShuttingDown()) response.setHeader('connection', 'close');
    const closed = new Promise<void>((resolve) => response.once('close', resolve)).then(() => {
      pending.delete(closed);
    });
    pending.add(closed);
  });
  app.addHook('preClose', async () => {
    // Connections that the kernel has already accepted are served first; closing at once would reset them.
    await setImmediate();
    app.server.close();
    let timer: NodeJS.Timeout | undefined;
    let over = false;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, GRACE_MS);
    }).then(() => {
      over = true;
    });
    while (pending.size > 0 && !over) await Promise.race([Promise.all(pending), grace]);
    clearTimeout(timer);
  });
}
