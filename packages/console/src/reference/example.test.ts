import { expect, test } from 'vitest';
import type { ApiDocument, Operation } from './document.ts';
import { bodyOf, curlOf, exampleOf, pathOf } from './example.ts';

const TREE = '#/components/schemas/Tree';

const document: ApiDocument = {
  info: { description: '' },
  servers: [{ url: 'https://hub.test' }],
  tags: [],
  paths: {},
  components: {
    schemas: {
      Tree: { type: 'object', required: ['leaves'], properties: { leaves: { type: 'array', items: { $ref: TREE } } } },
    },
  },
};

const operation: Operation = {
  method: 'POST',
  path: '/api/{owner}/{name}',
  operationId: 'write',
  summary: '',
  tags: [],
  parameters: [
    { name: 'owner', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'limit', in: 'query', required: false, schema: { type: 'integer' } },
    { name: 'after', in: 'query', required: false, schema: { type: 'string' } },
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['title', 'kind'],
          properties: {
            title: { type: 'string' },
            kind: { enum: ['a', 'b'] },
            extra: { type: 'boolean' },
          },
        },
      },
    },
  },
  responses: {},
};

test('an example has what is required, and ends where a schema contains itself', () => {
  expect(JSON.parse(bodyOf(operation, document))).toEqual({ title: 'string', kind: 'a' });
  expect(JSON.stringify(exampleOf({ $ref: TREE }, document))).toContain('{"leaves":[{}]}');
});

test('a path takes the values, encoded, and leaves in braces what is missing', () => {
  const values = { owner: '../x y', limit: '', after: 'a&b' };
  expect(pathOf(operation, { values })).toBe('/api/..%2Fx%20y/{name}?after=a%26b');
});

test('a command is one for every shell, whatever the values are', () => {
  const request = { values: { owner: "o'$(id)", name: 'n' }, body: `{"title": "it's $HOME"}` };
  expect(curlOf(operation, request, 'https://hub.test')).toBe(
    [
      `curl -X POST 'https://hub.test/api/o'\\''%24(id)/n'`,
      '-H "Authorization: Bearer $HF_TOKEN"',
      "-H 'Content-Type: application/json'",
      `--data-raw '{"title": "it'\\''s $HOME"}'`,
    ].join(' \\\n  '),
  );
  const bytes = { ...operation, requestBody: { required: true, content: { 'image/png': {} } }, security: [] };
  expect(curlOf(bytes, { values: {}, body: '' }, '')).toContain("--data-binary '@FILE'");
  expect(curlOf(bytes, { values: {}, body: '' }, '')).not.toContain('Authorization');
});
