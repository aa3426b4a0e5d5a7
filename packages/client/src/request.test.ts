import { describe, expect, test } from 'vitest';
import { HubApiError } from './errors.ts';
import { whoAmI } from './generated/profiles.ts';
import { createBranch, createRepo, deleteTag } from './generated/repositories.ts';
import { createWebhook, deleteWebhook, getWebhook } from './generated/webhooks.ts';
import type { Fetch } from './request.ts';

const hubUrl = 'http://hub.test';

function recorder(body: unknown = {}) {
  const requests: { url: string; init: RequestInit }[] = [];
  const fetch: Fetch = async (url, init) => {
    requests.push({ url, init });
    return Response.json(body);
  };
  return { fetch, requests };
}

describe('a request', () => {
  test('carries the token, the JSON body and the signal', async () => {
    const { fetch, requests } = recorder();
    const { signal } = new AbortController();
    await createRepo({
      hubUrl,
      accessToken: 'hf_secret',
      fetch,
      signal,
      type: 'dataset',
      repo: 'ada/x',
      private: true,
    });
    expect(requests).toEqual([
      {
        url: 'http://hub.test/api/repos/create',
        init: {
          method: 'POST',
          headers: { Authorization: 'Bearer hf_secret', 'Content-Type': 'application/json' },
          body: JSON.stringify({ name: 'ada/x', type: 'dataset', private: true }),
          signal,
        },
      },
    ]);
  });

  test('without a token and a body has no headers', async () => {
    const { fetch, requests } = recorder();
    await whoAmI({ hubUrl, fetch });
    expect(requests[0]?.init).toEqual({ method: 'GET', headers: {} });
  });

  test.each([
    ['http://hub.test/', 'http://hub.test/api/whoami-v2'],
    ['https://hub.test/behind/a/path//', 'https://hub.test/behind/a/path/api/whoami-v2'],
  ])('to %s goes to %s', async (hubUrl, url) => {
    const { fetch, requests } = recorder();
    await whoAmI({ hubUrl, fetch });
    expect(requests[0]?.url).toBe(url);
  });

  test('has percent-encoded path parameters, including the slashes of a branch', async () => {
    const { fetch, requests } = recorder();
    await createBranch({ hubUrl, fetch, type: 'model', repo: 'ada/x', branch: 'feature/ä?#' });
    expect(requests[0]?.url).toBe('http://hub.test/api/models/ada/x/branch/feature%2F%C3%A4%3F%23');
  });

  test.each(['', '.', '..'])('is not made for the path parameter %j, which would change the operation', async (id) => {
    const { fetch, requests } = recorder();
    await expect(deleteWebhook({ hubUrl, fetch, webhookId: id })).rejects.toThrow(TypeError);
    expect(requests).toEqual([]);
  });

  test.each(['x', 'ada/', '/x', 'ada/x/y'])('is not made for the repository %j', (repo) => {
    expect(() => deleteTag({ hubUrl, type: 'model', repo, tag: 'v1' })).toThrow('`repo` must be namespace/name');
  });
});

describe('a response', () => {
  const answering = (response: Response) => ({ hubUrl, fetch: async () => response });
  const failure = (response: Response) =>
    getWebhook({ ...answering(response), webhookId: 'x' }).catch((error) => error);

  test('with a success status is returned as JSON', async () => {
    const { fetch } = recorder({ webhook: { id: 'x' } });
    expect(await getWebhook({ hubUrl, fetch, webhookId: 'x' })).toEqual({ webhook: { id: 'x' } });
  });

  test('with an error status is thrown with everything that the hub reports', async () => {
    const issues = [{ path: 'body.watched.0.name', message: 'not found' }];
    const headers = { 'X-Error-Code': 'RepoNotFound', 'X-Request-Id': 'r1' };
    const error = await failure(Response.json({ error: 'No such thing', issues }, { status: 404, headers }));
    expect(error).toBeInstanceOf(HubApiError);
    expect(error).toMatchObject({
      name: 'HubApiError',
      message: 'No such thing',
      status: 404,
      code: 'RepoNotFound',
      requestId: 'r1',
      issues,
      fields: {},
      url: 'http://hub.test/api/settings/webhooks/x',
    });
  });

  test('about a conflict names the existing object', async () => {
    const body = { error: 'There is one', url: 'http://hub.test/ada/x', id: '0123' };
    expect(await failure(Response.json(body, { status: 409 }))).toMatchObject({
      status: 409,
      fields: { url: 'http://hub.test/ada/x', id: '0123' },
    });
  });

  test.each([
    ['a page of a proxy', '<html>', {}, '502 Bad Gateway'],
    ['an empty body with the header', '', { 'X-Error-Message': 'Too late' }, 'Too late'],
    ['JSON of another shape', '["no"]', {}, '502 Bad Gateway'],
    ['issues of another shape', '{"error":"No","issues":[1,{"path":2}]}', {}, 'No'],
  ])('with an error status may be %s', async (_, body, headers: Record<string, string>, message) => {
    const error = await failure(new Response(body, { status: 502, statusText: 'Bad Gateway', headers }));
    expect(error).toMatchObject({ message, status: 502, code: undefined, requestId: undefined, issues: [] });
  });

  test('that is not JSON is reported as coming from a server that is not a hub', async () => {
    const error = await failure(new Response('<html>'));
    expect(error).toBeInstanceOf(HubApiError);
    expect(error).toMatchObject({ status: 200, message: expect.stringContaining('is it the address of a hub?') });
  });

  test('that never arrives rejects with the error of fetch', async () => {
    const down = new TypeError('fetch failed');
    const webhook = { watched: [], url: 'http://a.test', domains: [] };
    await expect(createWebhook({ hubUrl, fetch: () => Promise.reject(down), webhook })).rejects.toBe(down);
  });
});
