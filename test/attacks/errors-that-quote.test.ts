import { expect, test } from 'vitest';
import { errorForLog } from '../../packages/server/src/platform/error-text.ts';
import { createLogger } from '../../packages/server/src/platform/logger.ts';
import { describeFault } from '../../packages/server/src/platform/queue/fault.ts';

const SECRET = 'sEcReT';
const PRIVATE = 'what somebody wrote';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
};

const refused = Object.assign(new Error('null value in column "x" violates not-null constraint'), {
  ...{ name: 'error', code: '23502', detail: `Failing row contains (1, ${PRIVATE}, ${SECRET}).`, where: PRIVATE },
});
const quoting = Object.assign(new Error(`invalid input syntax for type bigint: "${PRIVATE}"`), { code: '22P02' });
const errors: readonly (readonly [string, unknown])[] = [
  ['a URL', new Error(`No answer from https://user:${SECRET}@example.com/hooks/${SECRET}?token=${SECRET}#${SECRET}`)],
  ['a token of the hub', new Error(`Unknown token hf_${SECRET}`)],
  ['the secret of a webhook', new Error(`Bad key whsec_${SECRET}/+==`)],
  ['a header', new Error(`Invalid header: Authorization: Bearer ${SECRET}.${SECRET}`)],
  ['a text that is no JSON', parsed(`${PRIVATE} ${SECRET}`)],
  ['a row that a database refused', refused],
  ['a value that a database refused', quoting],
  ['one of these as its cause', new Error('It failed', { cause: refused })],
  ['no error', `${SECRET} ${PRIVATE}`],
];

test.each(errors)('an error that quotes %s reveals it neither in the dead letter nor in the log', (_, error) => {
  const lines: string[] = [];
  createLogger({ level: 'info', role: 'all', format: 'json', to: { write: (line) => lines.push(line) } }).error(
    { err: error },
    'a reaction failed',
  );
  for (const text of [describeFault(error), ...lines]) {
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(PRIVATE);
  }
  expect(lines).toHaveLength(1);
});

test('an error is logged with its type, code, cause and stack', () => {
  const error = Object.assign(new TypeError('No such thing'), { code: 'E1', cause: refused });
  expect(errorForLog(error)).toMatchObject({
    ...{ type: 'TypeError', message: 'No such thing', code: 'E1' },
    stack: expect.stringMatching(/^TypeError: No such thing\n\s+at .*errors-that-quote/),
    cause: { type: 'error', code: '23502' },
  });
});
