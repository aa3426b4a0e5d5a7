import { expect, test } from 'vitest';
import { claimsIn } from './claims-in.ts';

test('claims are lines with a name and a value, which may contain an equals sign', () => {
  expect(
    claimsIn('repository = acme/training\n\n  sub=repo:acme/ci:ref=refs/heads/main  \nnothing\nempty =\n'),
  ).toEqual({
    repository: 'acme/training',
    sub: 'repo:acme/ci:ref=refs/heads/main',
  });
});
