import { nextLine, startChild } from './child.ts';
import { type BenchHub, createBenchDatabase } from './hub.ts';

interface BareHub extends AsyncDisposable {
  readonly url: string;
}

/** Returns the data of the newest event of a hub that is done. */
export const newestEvent = (hub: Pick<BenchHub, 'side'>): Promise<string> =>
  hub.side.text('select data from events where id = (select max(id) from events where done_at > 1)');

/** Starts a bare hub on a database of its own, which sends a copy of the newest event of a hub for each change. */
export async function startBareHub(hub: BenchHub, target: string, webhooks: number): Promise<BareHub> {
  const database = await createBenchDatabase();
  const place = database.url ?? database.folder;
  const bare = startChild('bare-hub.ts', [target, String(webhooks), await newestEvent(hub), place]);
  return {
    url: await nextLine(bare),
    async [Symbol.asyncDispose]() {
      await bare[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
