import { createHmac } from 'node:crypto';

type Json = Record<string, unknown>;

const id = (digit: string) => digit.repeat(24);
const url = (path: string) => ({ web: `https://hub.example/${path}`, api: `https://hub.example/api/${path}` });

/** A payload as the hub sends it, for any scope and action. */
export function payloadOf(event: string, more: Json = {}): Json {
  const at = event.lastIndexOf('.');
  const scope = event.slice(0, at);
  const inDiscussion = scope.startsWith('discussion');
  return {
    event: { scope, action: event.slice(at + 1) },
    repo: {
      type: 'model',
      name: 'acme/bert',
      id: id('a'),
      private: false,
      url: url('acme/bert'),
      owner: { id: id('b') },
      ...(!inDiscussion && { headSha: 'c'.repeat(40) }),
    },
    ...(inDiscussion && {
      discussion: {
        id: id('d'),
        num: 1,
        title: 'Licence?',
        url: url('acme/bert/discussions/1'),
        status: 'open',
        author: { id: id('e') },
        isPullRequest: false,
      },
      comment: {
        id: id('f'),
        author: { id: id('e') },
        hidden: false,
        content: 'Which one is it?',
        url: { web: 'https://hub.example/acme/bert/discussions/1#f' },
      },
    }),
    ...(scope === 'repo.content' && {
      updatedRefs: [{ ref: 'refs/heads/main', oldSha: null, newSha: 'c'.repeat(40) }],
    }),
    webhook: { id: id('1'), version: 3 },
    ...more,
  };
}

/** Standard Webhooks, made without the code that is tested. */
export const signature = (key: string | Buffer, id: string, seconds: string, body: string): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;

interface Signing {
  readonly id?: string;
  /** Epoch milliseconds. */
  readonly at?: number;
  readonly key?: string | Buffer;
  /** Instead of the one made with `key`. */
  readonly signature?: string;
}

/** The headers of Standard Webhooks for a body. */
export function signed(body: string, { id = 'msg_1', at = Date.now(), key = 'hush', ...given }: Signing = {}) {
  const seconds = String(Math.floor(at / 1000));
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': given.signature ?? signature(key, id, seconds, body),
  };
}

/** What a receiver would print, kept. */
export function keptLog() {
  const lines: string[] = [];
  const keep = (...words: unknown[]) => void lines.push(words.map(String).join(' '));
  return { lines, info: keep, warn: keep, error: keep };
}
