import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** The longest wait for an answer when closing: a little more than what one delivery may take. */
const GRACE_MS = 15_000;

/**
 * Closing takes no more connections and answers what was asked. Connections do not hold it up, used or not: the server
 * is to be told to close them all. `leaving`: whether it will close soon; then no connection is kept after its answer.
 */
export function closeGently(app: FastifyInstance, leaving: () => boolean): void {
  const answering = new Set<Promise<void>>();
  app.server.prependListener('request', (_request, response) => {
    if (leaving()) response.setHeader('connection', 'close');
    const answered = new Promise<void>((resolve) => response.once('close', resolve)).then(() => {
      answering.delete(answered);
    });
    answering.add(answered);
  });
  app.addHook('preClose', async () => {
    // Connections that were made are taken first: those would be reset, not refused.
    await setImmediate();
    app.server.close();
    let timer: NodeJS.Timeout | undefined;
    let over = false;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, GRACE_MS);
    }).then(() => {
      over = true;
    });
    while (answering.size > 0 && !over) await Promise.race([Promise.all(answering), grace]);
    clearTimeout(timer);
  });
}
