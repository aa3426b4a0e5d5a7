import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from 'playwright-core';

const dist = fileURLToPath(new URL('../../packages/console/dist/', import.meta.url));
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
/** A file of the console: its name with the hash of its content, and the ending. */
const NAME = /^(.+-[\w-]{8})\.(js|css|svg)$/;

export interface Releases {
  /** From now on the hub serves the next version: no file has the name that it had. */
  update(): void;
}

/** Serves a browser a copy of the console's files, whose names each update changes, as the next version of a hub would. */
export async function serveReleases(context: BrowserContext): Promise<Releases> {
  let release = 1;
  const stems = (await readdir(`${dist}assets`)).flatMap((name) => NAME.exec(name)?.[1] ?? []);
  const renamed = (text: string) => stems.reduce((all, stem) => all.replaceAll(stem, `${stem}r${release}`), text);
  await context.route(
    ({ pathname }) => pathname.startsWith('/assets/'),
    async (route) => {
      const name = new URL(route.request().url()).pathname.slice('/assets/'.length);
      const [, stem = '', now = '', type = ''] = /^(.+)r(\d+)\.(\w+)$/.exec(name) ?? [];
      if (Number(now) !== release || !stems.includes(stem)) return route.fulfill({ status: 404, body: '' });
      const body = renamed(await readFile(`${dist}assets/${stem}.${type}`, 'utf8'));
      return route.fulfill({ body, contentType: TYPES[type] ?? 'text/plain' });
    },
  );
  await context.route(
    ({ pathname }) => !/^\/(api|assets|avatars)\//.test(pathname),
    async (route) => {
      const response = await route.fetch().catch(() => undefined);
      if (!response) return route.abort('connectionrefused');
      return route.fulfill({ response, body: renamed(await response.text()) });
    },
  );
  return { update: () => void release++ };
}
