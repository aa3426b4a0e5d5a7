import { expect, test } from 'vitest';
import { type Entry, matching } from './entries.ts';

const entries: readonly Entry[] = ['Inbox', 'New repository', 'Repositories', 'Upload to acme/bert'].map((label) => ({
  id: label,
  label,
  kind: 'page',
  open: '/',
}));

test.each([
  ['', ['Inbox', 'New repository', 'Repositories', 'Upload to acme/bert']],
  ['  REPO ', ['New repository', 'Repositories']],
  ['repo new', ['New repository']],
  ['bert', ['Upload to acme/bert']],
  ['box', []],
])('%j finds the entries of which each of its words begins a word', (text, found) =>
  expect(matching(entries, text).map(({ label }) => label)).toEqual(found),
);
