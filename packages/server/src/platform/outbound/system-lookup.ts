import { lookup } from 'node:dns/promises';

/** Asks the operating system (getaddrinfo) for the addresses of a host. */
export type AskSystem = (host: string) => Promise<string[]>;

const askSystem: AskSystem = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/**
 * The maximum number of concurrent system look-ups: each blocks one of the few threads of the process and cannot be
 * cancelled.
 */
const MAX_CONCURRENT = 2;

/** Limits system look-ups to two at a time; a look-up whose `signal` aborts while it waits is dropped. */
export function createSystemLookup(ask: AskSystem = askSystem) {
  const waiting = new Set<() => void>();
  let running = 0;

  async function run(host: string): Promise<string[]> {
    running += 1;
    try {
      return await ask(host);
    } finally {
      running -= 1;
      const [next] = waiting;
      next?.();
    }
  }

  return (host: string, signal: AbortSignal): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const start = () => {
        waiting.delete(start);
        run(host).then(resolve, reject);
      };
      const abandon = () => {
        waiting.delete(start);
        reject(signal.reason);
      };
      if (signal.aborted) return abandon();
      signal.addEventListener('abort', abandon, { once: true });
      if (running < MAX_CONCURRENT) start();
      else waiting.add(start);
    });
}
