import { expect, test } from 'vitest';
import { imageOf, isAllowed, referenceOf } from './image-policy.ts';

const DIGEST = `sha256:${'0a'.repeat(32)}`;
const OTHER = `sha256:${'0b'.repeat(32)}`;

test.each([
  ['python', 'docker.io/library/python:latest'],
  ['python:3.12', 'docker.io/library/python:3.12'],
  ['acme/train', 'docker.io/acme/train:latest'],
  ['docker.io/python', 'docker.io/library/python:latest'],
  ['index.docker.io/acme/train:v1', 'docker.io/acme/train:v1'],
  ['Registry.example.com/acme/train:v1', 'registry.example.com/acme/train:v1'],
  ['localhost/train', 'localhost/train:latest'],
  ['localhost:5000/train', 'localhost:5000/train:latest'],
  ['registry:5000/acme/train:v1', 'registry:5000/acme/train:v1'],
  [`python@${DIGEST}`, `docker.io/library/python@${DIGEST}`],
  [`python:3.12@${DIGEST}`, `docker.io/library/python@${DIGEST}`],
])('%s means %s', (reference, full) => {
  expect(referenceOf(imageOf(reference))).toBe(full);
});

test.each([
  [['*'], ['python', 'evil.example.com:5000/a:b', `a@${DIGEST}`], []],
  [['python'], ['python', 'python:3.12', `python@${DIGEST}`, 'docker.io/library/python:3'], ['acme/python', 'pythons']],
  [['python:3.12'], ['python:3.12', 'docker.io/python:3.12'], ['python', 'python:3.1', `python:3.12@${DIGEST}`]],
  [['python:latest'], ['python', 'python:latest'], ['python:3.12']],
  [[`python@${DIGEST}`], [`python@${DIGEST}`, `python:x@${DIGEST}`], [`python@${OTHER}`, 'python']],
  [['ghcr.io/acme/*'], ['ghcr.io/acme/a', 'ghcr.io/acme/a/b:v1'], ['ghcr.io/acme', 'ghcr.io/acmes/a', 'acme/a']],
  [['docker.io/*'], ['python', 'acme/train'], ['ghcr.io/python', 'docker.io.evil.example/a']],
  [['acme/*'], ['acme/train', 'docker.io/acme/train'], ['ghcr.io/acme/train']],
  [['localhost:5000/a'], ['localhost:5000/a'], ['localhost/a', 'localhost:5001/a', 'localhost:50000/a']],
  [['python', 'ghcr.io/acme/*'], ['ghcr.io/acme/a', 'python:3'], ['debian']],
  [[], [], ['python']],
])('the patterns %j admit %j but not %j', (patterns, admitted, refused) => {
  expect(admitted.filter((image) => !isAllowed(patterns, image))).toEqual([]);
  expect(refused.filter((image) => isAllowed(patterns, image))).toEqual([]);
});
