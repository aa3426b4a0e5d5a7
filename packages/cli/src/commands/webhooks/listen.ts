import { listen as follow } from '../../listen.ts';
import { command } from '../../program/command.ts';
import { UsageError } from '../../program/failure.ts';
import { choicesOf, flag, needed, number, text, texts } from '../../program/parameter.ts';
import { readSecret } from '../../terminal/asking.ts';
import { watchedOf } from './settings.ts';

export const listen = command({
  name: 'listen',
  summary: 'forward what happens on the hub to a URL of this machine, until you stop it',
  details: 'Nothing is tried again: what the URL answers is shown, and is the end of a delivery.',
  options: {
    forwardTo: needed(text('url', 'where deliveries are posted to')),
    watch: texts('type:name', 'what is watched, as model:acme/bert or org:acme (default: your namespace)', {
      short: 'w',
    }),
    domain: choicesOf(['repo', 'discussion'], 'kinds of events (default: both)', { short: 'd' }),
    secret: flag('ask for a secret to sign with, or read it from standard input'),
    timeout: number('seconds', 'how long the URL may take to answer (default: 10)'),
  },
  async run({ hub, terminal, json, options: { forwardTo, watch, domain, secret, timeout = 10 } }): Promise<undefined> {
    const url = checkedUrl(forwardTo);
    if (timeout === 0) throw new UsageError('--timeout must be a second or more');
    const stream = {
      ...{ watched: watch?.map(watchedOf), domains: domain && [...domain] },
      secret: secret ? await readSecret('Secret: ', terminal) : undefined,
    };
    await follow(hub, { url, timeoutMs: timeout * 1000, stream, json }, terminal);
  },
});

function checkedUrl(given: string): string {
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given))
    throw new UsageError(`--forward-to must be a URL, as in http://localhost:3000/webhooks: ${given}`);
  const { username, password } = new URL(given);
  if (username || password) throw new UsageError('--forward-to must not hold a user or a password');
  return given;
}
