import { once } from 'node:events';
import { expect, test } from 'vitest';
import { type GitProcess, startGit } from './git-process.ts';

/** Starts git so that it writes without end, and waits until it has to wait for a reader. */
async function startFlood(): Promise<GitProcess> {
  const git = await startGit({ args: ['-c', 'alias.flood=!yes', 'flood'] });
  await once(git.output, 'readable');
  return git;
}

test('git ends although its output is not read to the end, in whatever order reader and process are ended', async () => {
  const [first, second] = [await startFlood(), await startFlood()];
  first.output.destroy();
  first.end();
  second.end();
  second.output.destroy();
  expect(await Promise.all([first.ended, second.ended])).toEqual([null, null]);
});

test('git ends with a reader that takes the beginning of its output alone', async () => {
  const git = await startFlood();
  for await (const chunk of git.output) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  await git[Symbol.asyncDispose]();
  expect(await git.ended).toBeNull();
});
