// node sign-ins.ts HUB_URL COUNT: signs in many people at once from a process of its own, so that the process that
// measures is idle, or sends as many that are refused for want of a password. Prints `ready`, and for each message `{ signIn }` of its
// parent, once all are answered, the milliseconds that it took.
import { setPriority } from 'node:os';
import { ask, newAddress, PASSWORD } from './people.ts';

// The browsers of these people are elsewhere, and do not compete with the hub for its processors.
setPriority(19);

/** The first of the people whom nothing else signs in. */
const FIRST = 300;

const [hubUrl = '', count = '0'] = process.argv.slice(2);
const hub = { url: new URL(hubUrl) };

async function signIn(name: string): Promise<void> {
  const body = { name, password: PASSWORD };
  const { status, text } = await ask(hub, { path: '/api/sign-in', body, address: newAddress() });
  if (status !== 200) throw new Error(`A sign-in was answered with ${status}: ${text}`);
}

async function beRefused(name: string): Promise<void> {
  const { status, text } = await ask(hub, { path: '/api/sign-in', body: { name }, address: newAddress() });
  if (status !== 400) throw new Error(`A sign-in without a password was answered with ${status}: ${text}`);
}

async function askAtOnce(request: (name: string) => Promise<void>): Promise<void> {
  const beganAt = performance.now();
  await Promise.all(Array.from({ length: Number(count) }, (_, at) => request(`p-${FIRST + at}`)));
  console.log(performance.now() - beganAt);
}

process.on('message', (message: { readonly signIn: boolean }) => {
  void askAtOnce(message.signIn ? signIn : beRefused);
});
console.log('ready');
