import { describe, expect, test } from 'vitest';
import { createSmtp } from '../src/platform/mail/smtp.ts';
import type { MailMessage } from '../src/platform/mail/transport.ts';
import { type Behaviour, type Stage, startMailServer, startScriptedServer } from './smtp-server.ts';

const FROM = { name: 'Moonbase', address: 'hub@example.com' };

const message = (given: Partial<MailMessage> = {}): MailMessage => ({
  to: 'ada@example.com',
  subject: 'A subject',
  text: 'In plain text',
  html: '<p>In HTML</p>',
  date: Date.parse('2026-01-05T12:00:00Z'),
  messageId: '<one@example.com>',
  headers: {},
  ...given,
});

describe('a mail', () => {
  test('arrives with its parts, headers and envelope, over reused connections', async () => {
    await using server = await startMailServer();
    await using smtp = createSmtp({ url: server.url, from: FROM });
    for (const id of ['<1@example.com>', '<2@example.com>', '<3@example.com>'])
      expect(await smtp.send(message({ messageId: id, headers: { 'X-Test': id } }))).toEqual({ kind: 'accepted' });
    const [first, ...others] = server.received();
    expect(first).toMatchObject({
      subject: 'A subject',
      from: { name: 'Moonbase', address: 'hub@example.com' },
      to: [{ address: 'ada@example.com' }],
      text: 'In plain text\n',
      html: '<p>In HTML</p>\n',
      messageId: '<1@example.com>',
      date: '2026-01-05T12:00:00.000Z',
      envelope: { from: 'hub@example.com', to: ['ada@example.com'] },
    });
    expect(first?.header('x-test')).toBe('<1@example.com>');
    expect(others).toHaveLength(2);
    expect(server.connections()).toBe(1);
  });

  test('cannot be used to inject headers or recipients', async () => {
    await using server = await startMailServer();
    await using smtp = createSmtp({ url: server.url, from: FROM });
    const injected = 'x\r\nBcc: eve@example.com\r\n\r\nIgnore the rest';
    expect(await smtp.send(message({ subject: injected, headers: { 'List-Id': injected } }))).toEqual({
      kind: 'accepted',
    });
    const [mail] = server.received();
    expect(mail?.envelope.to).toEqual(['ada@example.com']);
    expect(mail?.bcc).toBeUndefined();
    expect(mail?.source).not.toMatch(/^Bcc:/im);
    expect(mail?.text).toBe('In plain text\n');
    for (const to of [
      'ada@example.com>\r\nRCPT TO:<eve@example.com',
      'ada@example.com\r\nBcc: eve@example.com',
      'ada@example.com, eve@example.com',
      'Ada <eve@example.com>',
      '',
    ])
      expect(await smtp.send(message({ to }))).toMatchObject({ kind: 'refused', permanent: true });
    expect(server.received()).toEqual([]);
  });

  test('is sent over TLS if the server offers it, with the credentials of the URL', async () => {
    const users: string[] = [];
    await using server = await startMailServer({
      onAuth({ username = '', password = '' }, session, done) {
        users.push(`${username}/${password}/${session.secure ? 'encrypted' : 'clear'}`);
        done(null, { user: username });
      },
    });
    const url = `smtp://robot:p%40ss%2Fword@127.0.0.1:${server.port}?requireTLS=true&tls.rejectUnauthorized=false`;
    await using smtp = createSmtp({ url, from: FROM });
    expect(await smtp.send(message())).toEqual({ kind: 'accepted' });
    expect(users).toEqual(['robot/p@ss/word/encrypted']);
    expect(server.received()).toMatchObject([{ encrypted: true, user: 'robot' }]);
  });

  test('is not sent in clear if TLS is required but unavailable', async () => {
    await using server = await startMailServer();
    await using smtp = createSmtp({ url: `${server.url}?requireTLS=true`, from: FROM });
    expect(await smtp.send(message())).toMatchObject({ kind: 'refused', permanent: false });
    expect(server.received()).toEqual([]);
  });

  test('that is refused for its credentials does not repeat them, even if the server does', async () => {
    const password = 'hunter2-of-the-hub';
    const plain = Buffer.from(`\0robot\0${password}`).toString('base64');
    await using server = await startScriptedServer({
      EHLO: '250 AUTH PLAIN',
      AUTH: `535 no ${password} and no ${plain}`,
    });
    const url = server.url.replace('smtp://', `smtp://robot:${password}@`);
    await using smtp = createSmtp({ url, from: FROM });
    const result = await smtp.send(message());
    expect(result).toMatchObject({ kind: 'refused', permanent: false, reason: expect.stringContaining('535 no') });
    expect(JSON.stringify(result)).not.toContain(password);
    expect(JSON.stringify(result)).not.toContain(plain);
    expect(server.lines.join('\n')).toContain(plain);
  });
});

/** The deadline of a server that hangs: a message has to be transmitted within it first. */
const DEADLINE_MS = { message: 3_000, before: 250 };

describe('the result of a mail when the server', () => {
  type Outcome = 'again' | 'never' | 'unknown';
  test.each<[Stage, Behaviour, Outcome]>([
    ['connect', '421 busy', 'again'],
    ['connect', '554 no service here', 'again'],
    ['connect', 'drop', 'again'],
    ['connect', 'hang', 'again'],
    ['EHLO', 'drop', 'again'],
    ['EHLO', 'hang', 'again'],
    ['MAIL', '421 closing', 'again'],
    ['MAIL', '450 later', 'again'],
    ['MAIL', '550 no such sender', 'never'],
    ['MAIL', 'drop', 'again'],
    ['MAIL', 'hang', 'again'],
    ['RCPT', '450 later', 'again'],
    ['RCPT', '550 no such user', 'never'],
    ['RCPT', '503 in another order', 'again'],
    ['RCPT', 'drop', 'again'],
    ['RCPT', 'hang', 'again'],
    ['DATA', '451 later', 'again'],
    ['DATA', '554 no', 'never'],
    ['DATA', 'drop', 'again'],
    ['DATA', 'hang', 'again'],
    ['message', '421 closing', 'again'],
    ['message', '452 full', 'again'],
    ['message', '554 looks like spam', 'never'],
    ['message', 'drop', 'unknown'],
    ['message', 'hang', 'unknown'],
  ])('at %s responds with this: %s — send it %s', async (stage, behaviour, expected) => {
    await using server = await startScriptedServer({ [stage]: behaviour });
    const deadlineMs = stage === 'message' ? DEADLINE_MS.message : DEADLINE_MS.before;
    await using smtp = createSmtp({ url: server.url, from: FROM, ...(behaviour === 'hang' && { deadlineMs }) });
    const result = await smtp.send(message());
    const outcome = result.kind === 'refused' ? (result.permanent ? 'never' : 'again') : result.kind;
    expect(outcome).toBe(expected);
    expect(server.messages()).toBe(stage === 'message' ? 1 : 0);
  });

  test('is missing', async () => {
    const server = await startMailServer();
    await server[Symbol.asyncDispose]();
    await using smtp = createSmtp({ url: server.url, from: FROM });
    expect(await smtp.send(message())).toMatchObject({
      kind: 'refused',
      permanent: false,
      reason: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('dies in the middle of a long message', async () => {
    await using server = await startScriptedServer({ middle: 'drop' });
    await using smtp = createSmtp({ url: server.url, from: FROM });
    expect(await smtp.send(message({ text: 'A line of text.\n'.repeat(10_000) }))).toMatchObject({ kind: 'unknown' });
    expect(server.messages()).toBe(0);
  });

  test('closed an idle connection: the next mail uses another one, or is sent later', async () => {
    await using server = await startScriptedServer({});
    await using smtp = createSmtp({ url: `${server.url}?maxRequeues=9&logger=true&debug=true`, from: FROM });
    await smtp.send(message());
    server.behave('MAIL', 'drop');
    expect(await smtp.send(message())).toMatchObject({ kind: 'refused', permanent: false });
    server.behave('MAIL', '250 ok');
    expect(await smtp.send(message())).toEqual({ kind: 'accepted' });
    expect(server.messages()).toBe(2);
  });
});

describe('stopping', () => {
  test('aborts unsent mails at once, and waits briefly for mails in transmission', async () => {
    await using silent = await startScriptedServer({ MAIL: 'hang' });
    await using waiting = createSmtp({ url: silent.url, from: FROM });
    const first = waiting.send(message());
    await expect.poll(() => silent.lines.some((line) => line.startsWith('MAIL'))).toBe(true);
    waiting.stop();
    expect(await first).toMatchObject({ kind: 'refused', permanent: false });

    await using slow = await startScriptedServer({ message: 'hang' });
    await using sending = createSmtp({ url: slow.url, from: FROM, graceMs: 20 });
    const second = sending.send(message());
    await expect.poll(() => slow.messages()).toBe(1);
    sending.stop();
    expect(await second).toMatchObject({ kind: 'unknown' });
  });
});
