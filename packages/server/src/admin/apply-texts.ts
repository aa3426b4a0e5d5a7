import type { HubDocument } from '@moonbase/contract/admin';
import { findAccount } from '../accounts/index.ts';
import { authorsOf, deletePaper, findPaper, insertPaper, replaceAuthors, updatePaper } from '../papers/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import { deletePost, findPost, insertPost, type Post, updatePost } from '../posts/index.ts';
import { type Application, differing, itemsOf } from './application.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
}

type HubPaper = HubDocument['papers'][number];

export async function applyPapers(
  run: Application,
  papers: HubDocument['papers'],
  { clock, ids }: Dependencies,
): Promise<void> {
  for (const { item, path } of itemsOf('papers', papers).present) {
    await run.breathe();
    const authors = await resolveAuthors(run, item, path);
    const wanted = {
      ...(item.title !== undefined && { title: item.title }),
      ...(item.summary !== undefined && { summary: item.summary }),
    };
    const existing = await findPaper(run.tx, item.id);
    const paper = existing ?? {
      id: ids(),
      arxiv_id: item.id,
      title: item.id,
      summary: '',
      created_at: clock.now(),
      ...wanted,
    };
    if (!existing) await insertPaper(run.tx, paper);
    const change = existing && differing(existing, wanted);
    if (change) await updatePaper(run.tx, paper.id, change);
    const sameAuthors = !authors || JSON.stringify(authors) === JSON.stringify(await authorsOf(run.tx, paper.id));
    if (!sameAuthors)
      await replaceAuthors(
        run.tx,
        paper.id,
        authors.map((author) => ({ ...author, id: ids() })),
      );
    run.count('papers', !existing ? 'created' : change || !sameAuthors ? 'updated' : 'unchanged');
  }
  for (const { item } of itemsOf('papers', papers).absent) {
    await run.breathe();
    const paper = await findPaper(run.tx, item.id);
    if (!paper) continue;
    await deletePaper(run.tx, paper.id);
    run.count('papers', 'removed');
  }
}

async function resolveAuthors(run: Application, { authors }: HubPaper, path: string) {
  if (!authors) return undefined;
  const resolved = [];
  for (const [at, author] of authors.entries()) {
    const user = author.user === undefined ? undefined : await findAccount(run.tx, author.user);
    if (author.user !== undefined && user?.kind !== 'user')
      run.fault(`${path}.authors.${at}.user`, `there is no user named ${author.user}`);
    resolved.push({ name: author.name, user_id: user?.id ?? null });
  }
  return resolved;
}

/** Posts and articles alike: by author and slug. */
export async function applyPosts(
  run: Application,
  kind: Post['kind'],
  items: HubDocument['articles'],
  { clock, ids }: Dependencies,
): Promise<void> {
  const list = kind === 'post' ? 'posts' : 'articles';
  const { present, absent } = itemsOf(list, items);
  for (const { item, path } of [...present, ...absent]) {
    await run.breathe();
    const author = await findAccount(run.tx, item.author);
    const existing = author && (await findPost(run.tx, kind, author.id, item.slug));
    if (item.state === 'absent') {
      if (!existing) continue;
      await deletePost(run.tx, existing.id);
      run.count(list, 'removed');
      continue;
    }
    if (author?.kind !== 'user') {
      run.fault(`${path}.author`, `there is no user named ${item.author}`);
      continue;
    }
    const wanted = {
      ...(item.title !== undefined && { title: item.title }),
      ...(item.canonical !== undefined && { canonical: item.canonical ? 1 : 0 }),
    };
    if (!existing) {
      const fresh = { title: item.slug, canonical: 0, ...wanted };
      await insertPost(run.tx, {
        id: ids(),
        kind,
        author_id: author.id,
        slug: item.slug,
        created_at: clock.now(),
        ...fresh,
      });
      run.count(list, 'created');
      continue;
    }
    const change = differing(existing, wanted);
    if (change) await updatePost(run.tx, existing.id, change);
    run.count(list, change ? 'updated' : 'unchanged');
  }
}
