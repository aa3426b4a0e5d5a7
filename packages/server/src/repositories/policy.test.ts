import { describe, expect, test } from 'vitest';
import { refNameFault, repoNameFault } from './policy.ts';

describe('the name of a repository', () => {
  test.each(['a', 'bert', 'bert-base_uncased.v1', '7b', 'x'.repeat(96)])('may be %s', (name) => {
    expect(repoNameFault(name)).toBeUndefined();
  });
  test.each(['', 'x'.repeat(97), 'a..b', '-a', 'a-', '.a', 'a.', 'a b', 'a/b', 'é'])('may not be %j', (name) => {
    expect(repoNameFault(name)).toMatch(/^must/);
  });
});

describe('the name of a branch or tag', () => {
  test.each(['main', 'feature/x', 'v1.0', 'a-b_c', 'ünïcode'])('may be %s', (name) => {
    expect(refNameFault(name)).toBeUndefined();
  });
  test.each([
    'a b',
    'a..b',
    'a//b',
    '/a',
    'a/',
    '-a',
    'a.lock',
    'a.lock/b',
    '@',
    'a@{b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    '.a',
    'a/.b',
    'a.',
    'a\nb',
  ])('may not be %j', (name) => {
    expect(refNameFault(name)).toMatch(/^(must|is)/);
  });
});
