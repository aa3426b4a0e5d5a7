import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import { findAccount } from '../accounts/index.ts';
import { findPaper, type Papers } from '../papers/index.ts';
import { findCanonical, findPost, type Post, type Posts } from '../posts/index.ts';
import { type Application, differing, itemsOf } from './application.ts';

type HubPaper = HubDocument['papers'][number];
type HubArticle = HubDocument['articles'][number];

export async function applyPapers(run: Application, items: HubDocument['papers'], papers: Papers): Promise<void> {
  for (const { item, path } of itemsOf('papers', items).present) {
    await run.breathe();
    const authors = await resolveAuthors(run, item, path);
    const wanted = {
      ...(item.title !== undefined && { title: item.title }),
      ...(item.summary !== undefined && { summary: item.summary }),
    };
    const existing = await findPaper(run.tx, item.id);
    const paper = existing ?? (await papers.insert(run.tx, run.caller, { arxivId: item.id, ...wanted }));
    const change = existing && differing(existing, wanted);
    if (change) await papers.update(run.tx, run.caller, paper, change);
    const otherAuthors = authors !== undefined && (await papers.nameAuthors(run.tx, paper, authors));
    run.count('papers', !existing ? 'created' : change || otherAuthors ? 'updated' : 'unchanged');
  }
  for (const { item } of itemsOf('papers', items).absent) {
    await run.breathe();
    const paper = await findPaper(run.tx, item.id);
    if (!paper) continue;
    await papers.remove(run.tx, run.caller, paper);
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
    resolved.push({ name: author.name, userId: user?.id });
  }
  return resolved;
}

/** Posts and articles alike: by author and slug. */
export async function applyPosts(
  run: Application,
  kind: Post['kind'],
  items: readonly HubArticle[],
  posts: Posts,
): Promise<void> {
  const list = kind === 'post' ? 'posts' : 'articles';
  const { present, absent } = itemsOf(list, items);
  for (const { item, path } of [...present, ...absent]) {
    await run.breathe();
    const author = await findAccount(run.tx, item.author);
    const existing = author && (await findPost(run.tx, kind, author.id, item.slug));
    if (item.state === 'absent') {
      if (!existing) continue;
      await posts.remove(run.tx, run.caller, existing);
      run.count(list, 'removed');
      continue;
    }
    if (author?.kind !== 'user') {
      run.fault(`${path}.author`, `there is no user named ${item.author}`);
      continue;
    }
    if (await leadsElsewhere(run, item, existing)) {
      run.fault(`${path}.canonical`, 'another canonical article has this slug');
      continue;
    }
    const wanted = {
      ...(item.title !== undefined && { title: item.title }),
      ...(item.canonical !== undefined && { canonical: item.canonical ? 1 : 0 }),
    };
    if (!existing) {
      const fresh = { title: item.slug, canonical: 0, ...wanted };
      await posts.insert(run.tx, run.caller, { kind, author_id: author.id, slug: item.slug, ...fresh });
      run.count(list, 'created');
      continue;
    }
    const change = differing(existing, wanted);
    if (change) await posts.update(run.tx, run.caller, existing, change);
    run.count(list, change ? 'updated' : 'unchanged');
  }
}

/** Whether an article would become canonical whose slug alone leads to another one already. */
async function leadsElsewhere(run: Application, item: HubArticle, existing: Post | undefined): Promise<boolean> {
  if (!item.canonical || existing?.canonical === 1) return false;
  return (await findCanonical(run.tx, item.slug)) !== undefined;
}
