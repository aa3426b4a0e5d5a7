import type { FastifyInstance } from 'fastify';
import { HubError } from './errors.ts';

/** The longest wait for an answer when closing: a little more than what one delivery may take. */
const GRACE_MS = 15_000;

/**
 * Closing answers what was asked before and nothing that comes after. Connections do not hold it up, used or not: the
 * server is to be told to close them all.
 */
export function closeGently(app: FastifyInstance): void {
  const answering = new Set<Promise<void>>();
  let closing = false;
  app.server.on('request', (_request, response) => {
    const answered = new Promise<void>((resolve) => response.once('close', resolve)).then(() => {
      answering.delete(answered);
    });
    answering.add(answered);
  });
  app.addHook('onRequest', async () => {
    if (closing) throw new HubError(503, 'The hub is stopping');
  });
  app.addHook('preClose', async () => {
    closing = true;
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, GRACE_MS);
    });
    await Promise.race([Promise.all(answering), grace]);
    clearTimeout(timer);
  });
}
