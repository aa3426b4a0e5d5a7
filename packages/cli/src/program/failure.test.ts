import { HubApiError } from '@moonbase/client/errors';
import { describe, expect, test } from 'vitest';
import { documentPath, failureOf, UsageError } from './failure.ts';

describe('a path', () => {
  test.each([
    ['body.users.0.name', 'users[0].name'],
    ['body.users.0.tokens.12', 'users[0].tokens[12]'],
    ['users.3', 'users[3]'],
    ['body.0.1', '[0][1]'],
    ['body', 'document'],
    ['bodyguard.x', 'bodyguard.x'],
  ])('%s is written %s', (path, written) => {
    expect(documentPath(path)).toBe(written);
  });
});

describe('a failure', () => {
  const url = 'http://hub.test';

  test('with issues lists each once, by its path in the document', () => {
    const issues = [
      { path: 'body.users.0.name', message: 'is taken' },
      { path: 'body.repos.1', message: 'has no owner' },
    ];
    expect(failureOf(new HubApiError('body.users.0.name: is taken', { status: 400, url, issues }), url)).toEqual({
      lines: [
        'The hub rejected the request because of 2 errors; nothing was changed:',
        '  users[0].name: is taken',
        '  repos[1]: has no owner',
      ],
      status: 1,
    });
  });

  test('without issues prints the message of the hub', () => {
    const refusal = new HubApiError('Only for site administrators', { status: 403, url });
    expect(failureOf(refusal, url)).toEqual({ lines: ['Only for site administrators'], status: 3 });
  });

  test('because of a missing token says how to provide one', () => {
    const refusal = new HubApiError('Who?', { status: 401, url });
    expect(failureOf(refusal, url)?.lines).toEqual(['Who?', 'Sign in with `moonbase login`, or set MOONBASE_TOKEN.']);
  });

  test('inside the hub names the request id', () => {
    const refusal = new HubApiError('Oh', { status: 500, url, requestId: 'r1' });
    expect(failureOf(refusal, url)?.lines.at(-1)).toBe('The log of the hub has details under the request id r1.');
  });

  test('to reach the hub names the address and how to start a hub', () => {
    const down = new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    expect(failureOf(down, url)).toEqual({
      lines: ['No hub responds at http://hub.test (ECONNREFUSED).', expect.stringContaining('moonbase serve')],
      status: 5,
    });
  });

  test('because of wrong usage prints its message', () => {
    expect(failureOf(new UsageError('No'), undefined)).toEqual({ lines: ['No'], status: 2 });
  });

  test.each([
    [400, 1],
    [402, 1],
    [409, 1],
    [401, 3],
    [403, 3],
    [404, 4],
    [429, 5],
    [500, 5],
    [503, 5],
    [200, 5],
  ])('with status %i exits with %i', (status, exit) => {
    expect(failureOf(new HubApiError('No', { status, url }), url)?.status).toBe(exit);
  });

  test('because of a rate limit says when to try again', () => {
    const refusal = new HubApiError('Slower', { status: 429, url, retryAfter: 40 });
    expect(failureOf(refusal, url)?.lines).toEqual(['Slower', 'Try again in 40 seconds.']);
  });

  test('that is a bug has no message', () => {
    expect(failureOf(new TypeError('x is not a function'), url)).toBeUndefined();
  });
});
