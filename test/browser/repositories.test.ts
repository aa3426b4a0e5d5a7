import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readFile, uploadFiles } from '@moonbase/client/files';
import { getRepo } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { drop } from './drop.ts';
import { stage } from './stage.ts';
import { startFilledWorld, tokenOf, until } from './world.ts';

const TINY = { type: 'model', repo: 'alice/tiny' } as const;

describe.skipIf(noBrowser)('in the browser', () => {
  const on = stage(startFilledWorld);
  const text = async (path: string) => (await readFile({ ...on.world.as('alice'), ...TINY, path })).text();

  test('users upload, view, edit and delete files', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/repositories');
    await page.getByRole('link', { name: 'alice/tiny' }).click();
    await page.getByRole('link', { name: '.gitattributes' }).waitFor();

    await page.getByRole('link', { name: 'Upload' }).click();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files' }).click();
    const weights = Buffer.alloc(300_000, 7);
    await (await choosing).setFiles([
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('one\ntwo\n') },
      { name: 'weights.bin', mimeType: 'application/octet-stream', buffer: weights },
    ]);
    await page.getByText('weights.bin, 300.0 kB').waitFor();
    await page.getByRole('textbox', { name: 'Folder' }).fill('data');
    await page.getByRole('textbox', { name: 'Commit message' }).fill('Add data');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Commit' }).click();
    await page.getByRole('link', { name: 'notes.txt' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/alice/tiny/tree/main/data');
    expect(await text('data/weights.bin')).toBe(weights.toString());

    await page.getByRole('link', { name: 'notes.txt' }).click();
    await expect.poll(() => page.locator('.line-numbers').textContent()).toBe('1\n2');
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Content' }).fill('one\nthree\n');
    await page.getByRole('button', { name: 'Commit' }).click();
    await page.waitForURL(/\/blob\//);
    expect(await text('data/notes.txt')).toBe('one\nthree\n');

    await page.getByRole('link', { name: 'Commits' }).click();
    await page.getByRole('link', { name: 'Edit data/notes.txt' }).waitFor();
    await page.getByRole('link', { name: 'Add data' }).click();
    await page.getByRole('heading', { name: 'Add data' }).waitFor();
    await page.getByRole('link', { name: 'Browse files' }).click();
    await page.getByRole('link', { name: 'data/' }).click();
    await page.getByRole('link', { name: 'notes.txt' }).click();
    await page.getByText('two').waitFor();

    await page.goto('/alice/tiny/blob/main/data/notes.txt');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'data/' }).waitFor();
    await expect(text('data/notes.txt')).rejects.toMatchObject({ code: 'EntryNotFound' });
    expect(complaints).toEqual([]);
  });

  test('users create a file with its folders, which never replaces an existing one', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/alice/tiny');
    await page.getByRole('link', { name: 'New file' }).click();
    await page.getByRole('textbox', { name: 'Path' }).fill('.gitattributes');
    await page.getByRole('textbox', { name: 'Content' }).fill('{ "layers": 2 }\n');
    await page.getByRole('button', { name: 'Commit' }).click();
    await page.getByRole('alert').filter({ hasText: '.gitattributes exists already' }).waitFor();
    await page.getByRole('textbox', { name: 'Path' }).fill('small/config.json');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Commit' }).click();
    await page.waitForURL(/\/alice\/tiny\/blob\/main\/small\/config.json$/);
    expect(await text('small/config.json')).toBe('{ "layers": 2 }\n');
    await page.getByRole('link', { name: 'Commits' }).click();
    await page.getByRole('link', { name: 'Create small/config.json' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a chosen and a dropped folder keep their folders, without those of git', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    const folder = await mkdtemp(join(tmpdir(), 'moonbase-folder-'));
    for (const path of ['runs/one/log.txt', 'runs/.git/config', 'runs/notes.txt', 'dropped/b/c.txt']) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), path);
    }
    await page.goto('/alice/tiny/upload/main/kept');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a folder' }).click();
    await (await choosing).setFiles(join(folder, 'runs'));
    await page.getByText('runs/one/log.txt, 16 B').waitFor();
    expect(await page.getByRole('list', { name: 'Files to upload' }).getByRole('listitem').count()).toBe(2);
    await drop(page, [join(folder, 'dropped')]);
    await page.getByText('dropped/b/c.txt, 15 B').waitFor();
    await page.getByRole('button', { name: 'Commit' }).click();
    await page.getByRole('link', { name: 'runs/' }).waitFor();
    await rm(folder, { recursive: true });
    for (const path of ['runs/one/log.txt', 'runs/notes.txt', 'dropped/b/c.txt'])
      expect(await text(`kept/${path}`)).toBe(path);
    expect(complaints).toEqual([]);
  });

  test('the page of a repository shows its tags, and why its README cannot be read', async () => {
    const alice = on.world.as('alice');
    const commitReadme = (metadata: string) =>
      uploadFiles({
        ...alice,
        ...TINY,
        files: [{ path: 'README.md', content: `---\n${metadata}\n---\n# Tiny\n` }],
        summary: 'Card',
      });
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    const info = () => getRepo({ ...alice, ...TINY });
    await commitReadme('license: mit\ntags: [moons]');
    await until(info, (known) => 'tags' in known && known.tags?.includes('moons') === true);
    await page.goto('/alice/tiny');
    const tags = page.getByRole('list', { name: 'Tags' });
    await tags.getByText('license:mit').waitFor();
    await tags.getByText('moons').waitFor();
    await expectAccessible(page);
    await commitReadme('license: [mit');
    await until(info, (known) => 'cardError' in known);
    await page.reload();
    await page.getByRole('alert').filter({ hasText: 'The metadata of the README cannot be read' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('an edit that lost to a quicker one is refused, and its text stays in the form', async () => {
    const alice = on.world.as('alice');
    await uploadFiles({ ...alice, ...TINY, files: [{ path: 'shared.txt', content: 'first' }], summary: 'First' });
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page } = visitor;
    await page.goto('/alice/tiny/edit/main/shared.txt');
    await page.getByRole('textbox', { name: 'Content' }).fill('mine');
    await uploadFiles({ ...alice, ...TINY, files: [{ path: 'shared.txt', content: 'theirs' }], summary: 'Theirs' });
    await page.getByRole('button', { name: 'Commit' }).click();
    await page.getByRole('alert').filter({ hasText: 'The branch was updated since you opened this page' }).waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Content' }).inputValue()).toBe('mine');
    expect(await text('shared.txt')).toBe('theirs');
  });

  test('an upload by a user who may only read becomes a pull request', async () => {
    await using visitor = await on.visit({ token: tokenOf('carol') });
    const { page, complaints } = visitor;
    await page.goto('/acme/bert');
    await page.getByRole('link', { name: 'Upload' }).click();
    await expect.poll(() => page.getByRole('checkbox', { name: 'Open a pull request' }).isChecked()).toBe(true);
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files' }).click();
    await (await choosing).setFiles([{ name: 'idea.txt', mimeType: 'text/plain', buffer: Buffer.from('idea') }]);
    await page.getByRole('button', { name: 'Commit' }).click();
    await page.getByRole('heading', { name: 'Upload idea.txt' }).waitFor();
    const [, num] = /\/acme\/bert\/discussions\/(\d+)$/.exec(page.url()) ?? [];
    const at = { ...on.world.as('alice'), type: 'model', repo: 'acme/bert', path: 'idea.txt' } as const;
    expect(await (await readFile({ ...at, revision: `refs/pr/${num}` })).text()).toBe('idea');
    await expect(readFile(at)).rejects.toMatchObject({ code: 'EntryNotFound' });
    expect(complaints).toEqual([]);
  });

  test('no script in a file runs', async () => {
    const alice = on.world.as('alice');
    const script = '<script>document.title="owned";fetch("/api/whoami-v2")</script>';
    const files = [
      { path: 'page.html', content: `<html><body>${script}</body></html>` },
      {
        path: 'image.svg',
        content: `<svg xmlns="http://www.w3.org/2000/svg" onload="document.title='owned'">${script}</svg>`,
      },
      {
        path: 'README.md',
        content: `# Hi\n${script}\n[x](javascript:document.title='owned')\n<img src=x onerror="document.title='owned'">\n`,
      },
      { path: 'fake.png', content: `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>` },
    ];
    await uploadFiles({ ...alice, ...TINY, files, summary: 'Harm' });
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page } = visitor;
    for (const path of files.map((file) => file.path)) {
      await page.goto(`/alice/tiny/blob/main/${path}`);
      await page.getByRole('link', { name: 'Raw' }).waitFor();
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      expect([path, await page.title()]).toEqual([path, expect.stringContaining(path)]);
      await expect.poll(() => page.locator('a[href^="javascript:"], [onload], [onerror]').count()).toBe(0);
      await page.getByRole('link', { name: 'Raw' }).click();
      await page.waitForURL(/\/resolve\//);
      expect([path, await page.evaluate('document.contentType'), await page.title()]).toEqual([path, 'text/plain', '']);
    }
  });

  test('a stranger gets the same page for a private and for a missing repository', async () => {
    await using visitor = await on.visit({ token: tokenOf('carol') });
    const { page } = visitor;
    await on.world.apply({ repos: [{ type: 'model', name: 'alice/hidden', private: true }] });
    const seen: string[] = [];
    for (const name of ['hidden', 'nobody']) {
      await page.goto(`/alice/${name}/blob/main/x.txt`);
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
      seen.push((await page.locator('main').innerText()).replaceAll(name, ''));
    }
    expect(seen[0]).toBe(seen[1]);
  });

  test('a program gets 404 at the address of a page, and everybody at an unknown address', async () => {
    const status = async (path: string, accept: string) =>
      (await fetch(on.world.url + path, { headers: { accept } })).status;
    for (const path of ['/alice/tiny', '/alice/tiny/tree/main', '/datasets/acme/letters'])
      expect([path, await status(path, 'text/html'), await status(path, '*/*')]).toEqual([path, 200, 404]);
    for (const path of ['/api/nothing', '/docs/nothing', '/assets/nothing', '/a/b', '/.well-known/nothing'])
      expect([path, await status(path, 'text/html')]).toEqual([path, 404]);
  });
});
