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
  let pending = 0;
  let onIdle = () => {};
  const ended = () => {
    pending -= 1;
    if (pending === 0) onIdle();
  };
  app.server.prependListener('request', (_request, response) => {
    if (isShuttingDown()) response.setHeader('connection', 'close');
    pending += 1;
    response.once('close', ended);
  });
  app.addHook('preClose', async () => {
    // Connections that the kernel has already accepted are served first; closing at once would reset them.
    await setImmediate();
    app.server.close();
    if (pending === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GRACE_MS);
      onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  });
}
