import { readConfig } from '../../packages/server/dist/config.js';
import { createHub } from '../../packages/server/dist/hub.js';

// The built hub, with a reaction that ends its process at an event about a repository named `poison`.
const hub = await createHub(readConfig(process.env), {
  reactions: (map) => ({
    ...map,
    repo: {
      ...map.repo,
      async poison(_tx, event) {
        if (JSON.stringify(event.data).includes('poison')) process.exit(3);
        return undefined;
      },
    },
  }),
});
await hub.prepare();
const url = await hub.start();
process.once('SIGTERM', () => void hub.stop());
console.log(`Moonbase is listening on ${url}`);
