import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createEngine } from './engine.ts';

let server: Server;
afterEach(() => server.close());

/** Starts an engine over TCP with an API version and one response to all other requests. */
async function startEngine(version: string | undefined, status: number, answer: string) {
  const asked: string[] = [];
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url === '/_ping')
      response.writeHead(200, version === undefined ? {} : { 'api-version': version }).end();
    else response.writeHead(status).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { asked, engine: createEngine({ url: `tcp://127.0.0.1:${port}`, certificates: undefined }) };
}

test('the client asks the engine once for its API version, and uses that version', async () => {
  const { asked, engine } = await startEngine('1.52', 200, '{"Id":"a"}');
  expect(await engine.ask('POST', '/containers/create', { query: { name: 'a b' }, body: {} })).toEqual({ Id: 'a' });
  await engine.ask('GET', '/info');
  expect(asked).toEqual(['GET /_ping', 'POST /v1.52/containers/create?name=a%20b', 'GET /v1.52/info']);
  await engine.close();
});

test.each([
  [undefined, '/info'],
  ['1.41/../..', '/info'],
])('without a valid API version (%s), paths have no version', async (version, path) => {
  const { asked, engine } = await startEngine(version, 204, '');
  expect(await engine.ask('GET', '/info')).toBeUndefined();
  expect(asked.at(-1)).toBe(`GET ${path}`);
  await engine.close();
});

test.each([
  ['{"message":"No such image","cause":"x"}', 'No such image'],
  ['<html>', 'The engine answered with status 404'],
  ['{"message":{}}', 'The engine answered with status 404'],
])('a refusal with the body %s is thrown with a reason', async (answer, message) => {
  const { engine } = await startEngine('1.41', 404, answer);
  await expect(engine.ask('GET', '/info')).rejects.toMatchObject({ name: 'EngineFault', status: 404, message });
  await engine.close();
});

test('an unreachable engine does not count as a refusal, and is asked again', async () => {
  const { engine } = await startEngine('1.41', 200, '{}');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  await expect(engine.ask('GET', '/info')).rejects.not.toHaveProperty('name', 'EngineFault');
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  expect(await engine.ask('GET', '/info')).toEqual({});
  await engine.close();
});
