import { expect, test } from 'vitest';
import { fuzzBodies, fuzzFilters, fuzzUserPatches } from './scim-protocol.ts';

test('any text is a valid SCIM filter or refused', () => {
  const outcomes = fuzzFilters(500);
  expect(outcomes.taken).toBeGreaterThan(50);
  expect(outcomes.invalidFilter).toBeGreaterThan(50);
});

test('any patch of a user is accepted, or refused with a `scimType`', () => {
  const outcomes = fuzzUserPatches(500);
  expect(outcomes.taken).toBeGreaterThan(50);
  expect(Object.keys(outcomes)).toEqual(
    expect.arrayContaining(['invalidSyntax', 'invalidPath', 'invalidValue', 'mutability', 'noTarget']),
  );
});

test('any body of a user or a group is accepted, or refused with a `scimType`', () => {
  expect(fuzzBodies(500).taken).toBeGreaterThan(50);
});
