import { afterAll, beforeAll, test } from 'vitest';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test('huggingface_hub raises its own errors, with the words and the request id of the hub', () =>
  world.python('errors'));
