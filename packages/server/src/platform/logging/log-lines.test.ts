import { expect, test } from 'vitest';
import { createLogger } from '../logger.ts';

/** Returns what a logger of a format writes. */
function written(format: 'text' | 'json', log: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  const to = {
    write(line: string) {
      text += line;
    },
  };
  log(createLogger({ level: 'debug', format, role: 'api', to }));
  return text;
}

const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';

test('a line of JSON has the name of its level, the ISO time, the process and its role', () => {
  const line = JSON.parse(written('json', (log) => log.warn({ queue: 'mails' }, 'a queue is long')));
  expect(line).toEqual({
    level: 'warn',
    time: expect.stringMatching(new RegExp(`^${TIME}$`)),
    pid: process.pid,
    role: 'api',
    queue: 'mails',
    msg: 'a queue is long',
  });
});

test('a line of text has the same for people', () => {
  const text = written('text', (log) => log.info({ route: '/api/{repo}', ms: 1.5, note: 'two words' }, 'request'));
  expect(text).toMatch(
    new RegExp(`^${TIME} INFO  api\\[${process.pid}\\] request route=/api/\\{repo\\} ms=1\\.5 note="two words"\n$`),
  );
});

test('a level leaves out what is below it', () => {
  let lines = 0;
  const log = createLogger({ level: 'warn', format: 'json', role: 'all', to: { write: () => void lines++ } });
  for (const level of ['debug', 'info', 'warn', 'error', 'fatal'] as const) log[level]('a line');
  expect(lines).toBe(3);
});

const HOSTILE = 'x\n2026-01-01T00:00:00.000Z FATAL all[1] forged\r\u001b[31mred\u009b2J\u007f\u0085\u2028\u202eend';

test.each(['text', 'json'] as const)(
  'no text of a client can begin a line or reach a terminal, in the form %s',
  (format) => {
    const text = written(format, (log) => {
      log.warn({ agent: HOSTILE, [HOSTILE]: 1 }, HOSTILE);
      log.error({ err: new Error(HOSTILE, { cause: new Error(HOSTILE) }) }, 'it failed');
    });
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
    const begins = format === 'json' ? /^\{"level"/ : new RegExp(`^${TIME} (WARN |ERROR) |^ {3,}(at|cause)`);
    for (const line of text.trimEnd().split('\n')) expect(line).toMatch(begins);
    if (format === 'json') expect(JSON.parse(text.split('\n')[0] ?? '').agent).toBe(HOSTILE);
  },
);

test('an error in text is its message on the line and its frames below', () => {
  const text = written('text', (log) => log.error({ err: new TypeError('no such thing') }, 'a round failed'));
  expect(text).toMatch(/ERROR api\[\d+\] a round failed error="no such thing"\n {4}at /);
});
