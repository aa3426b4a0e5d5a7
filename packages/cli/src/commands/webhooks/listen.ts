import { listen as follow } from '../../listen.ts';
import { command } from '../../program/command.ts';
import { UsageError } from '../../program/failure.ts';
import { choicesOf, flag, needed, number, text, texts } from '../../program/parameter.ts';
import { readSecret } from '../../terminal/asking.ts';
import { watchedOf } from './settings.ts';

export const listen = command({
  name: 'listen',
  summary: 'forward events of the hub to a URL on this machine, until interrupted',
  details: 'Deliveries are not retried: the response of the URL is shown and is final.',
  options: {
    forwardTo: needed(text('url', 'URL that deliveries are posted to')),
    watch: texts('type:name', 'what to watch, such as model:acme/bert or org:acme (default: your namespace)', {
      short: 'w',
    }),
    domain: choicesOf(['repo', 'discussion'], 'domains of events (default: both)', { short: 'd' }),
    secret: flag('prompt for a secret to sign with, or read it from standard input'),
    timeout: number('seconds', 'time limit for a response of the URL (default: 10)'),
  },
  async run({ hub, terminal, json, options: { forwardTo, watch, domain, secret, timeout = 10 } }): Promise<undefined> {
    const url = checkedUrl(forwardTo);
    if (timeout === 0) throw new UsageError('--timeout must be at least 1 second');
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
  if (username || password) throw new UsageError('--forward-to must not contain a user or a password');
  return given;
}
