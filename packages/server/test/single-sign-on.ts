import { openBrowser } from './browser.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { type ForgedClaims, type ForgingProvider, startForgingProvider } from './forging-provider.ts';
import { startHub, type TestHub } from './harness.ts';
import { plainHashing } from './plain-hashing.ts';

export type Browser = ReturnType<typeof openBrowser>;

/** Starts a hub with a forging provider. */
export async function startWithProvider(settings: Readonly<Record<string, string>> = {}) {
  const clock = createTestClock();
  const provider = await startForgingProvider(clock);
  const hub = await startHub({ ...provider.settings, ...settings }, { clock, hashing: plainHashing });
  return {
    ...{ hub, provider, clock: clock satisfies TestClock },
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** Begins a sign-in; returns the address to which the hub sends the browser. */
export async function begin(browser: Browser, wish: object = {}): Promise<string> {
  const { status, body } = await browser.ask('POST /api/sign-in/provider', wish);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.url;
}

export const finish = (browser: Browser, path: string) => browser.ask('POST /api/sign-in/provider/finish', { path });

interface Options {
  readonly browser?: Browser;
  readonly wish?: object;
  readonly forge?: Parameters<ForgingProvider['authorize']>[2];
}

/** Signs a person in from begin to end. */
export async function signInAs(
  hub: Pick<TestHub, 'url'>,
  provider: ForgingProvider,
  person: ForgedClaims,
  { browser = openBrowser(hub), wish, forge }: Options = {},
) {
  const answer = await finish(browser, provider.authorize(await begin(browser, wish), person, forge));
  return { ...answer, browser };
}

export const whoIs = async (browser: Browser) => {
  const { status, body } = await browser.ask('GET /api/whoami-v2');
  return status === 200 ? body.name : status;
};
