import { lookup } from 'node:dns/promises';

/** Asks the operating system (getaddrinfo) for the addresses of a host. */
export type AskSystem = (host: string) => Promise<string[]>;

const askSystem: AskSystem = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/** It blocks a thread of the few of the process for as long as it takes, and cannot be called off. */
const AT_ONCE = 2;

/** The same, two at a time; one that waits for its turn when `signal` aborts is left out. */
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
      if (running < AT_ONCE) start();
      else waiting.add(start);
    });
}
