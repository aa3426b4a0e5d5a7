import { createApplication } from '@moonbase/client/applications';
import { afterAll, beforeAll, test } from 'vitest';
import { signIn } from './sign-in.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test('attach_huggingface_oauth signs users in to a Python application', async () => {
  const { clientId, clientSecret } = await createApplication({
    ...world.as('alice'),
    name: 'Demo',
    // The query of the redirect address names the page to continue with.
    redirectUris: ['https://app.example/oauth/huggingface/callback?*'],
    scopes: ['openid', 'profile', 'email'],
    confidential: true,
    tokenMinutes: 480,
  });
  const { cookie } = await signIn(world);
  await world.python('oauth_app', { clientId, clientSecret, cookie });
});
