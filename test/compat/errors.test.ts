import { afterAll, beforeAll, test } from 'vitest';
import { PYTHON_CLIENTS } from './python-clients.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test.each(PYTHON_CLIENTS)(
  'huggingface_hub, %s, raises its own errors with the message and the request id of the hub',
  (client) => world.python('errors', {}, client),
);
