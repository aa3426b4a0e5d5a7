import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import { findAccount } from '../../accounts/index.ts';
import { findPaper, type Papers } from '../../papers/index.ts';
import { findPost, type Post, type Posts } from '../../posts/index.ts';
import { changedColumns, changedConcurrently, itemsOf } from './items.ts';
import type { Step, Steps } from './steps.ts';

type HubPaper = HubDocument['papers'][number];
type HubArticle = HubDocument['articles'][number];

const TEXTS_A_STEP = 20;

export async function applyPapers(steps: Steps, items: HubDocument['papers'], papers: Papers): Promise<void> {
  const { present, absent } = itemsOf('papers', items);
  await steps.each(present, TEXTS_A_STEP, async (step, part) => {
    for (const { item } of part) await applyPaper(step, item, papers);
  });
  await steps.each(absent, TEXTS_A_STEP, async ({ tx, caller, count }, part) => {
    for (const { item } of part) {
      const paper = await findPaper(tx, item.id);
      if (!paper) continue;
      await papers.remove(tx, caller, paper);
      count('papers', 'removed');
    }
  });
}

async function applyPaper(step: Step, item: HubPaper, papers: Papers): Promise<void> {
  const { tx, caller } = step;
  const authors = await resolveAuthors(step, item);
  const wanted = {
    ...(item.title !== undefined && { title: item.title }),
    ...(item.summary !== undefined && { summary: item.summary }),
  };
  const existing = await findPaper(tx, item.id);
  const paper = existing ?? (await papers.insert(tx, caller, { arxivId: item.id, ...wanted }));
  const change = existing && changedColumns(existing, wanted);
  if (change) await papers.update(tx, caller, paper, change);
  const otherAuthors = authors !== undefined && (await papers.setAuthors(tx, paper, authors));
  step.count('papers', !existing ? 'created' : change || otherAuthors ? 'updated' : 'unchanged');
}

async function resolveAuthors({ tx }: Step, { authors }: HubPaper) {
  if (!authors) return undefined;
  const resolved = [];
  for (const author of authors) {
    const user = author.user === undefined ? undefined : await findAccount(tx, author.user);
    if (author.user !== undefined && user?.kind !== 'user') throw changedConcurrently();
    resolved.push({ name: author.name, userId: user?.id });
  }
  return resolved;
}

/** Creates or updates posts or articles, identified by author and slug. */
export async function applyPosts(
  steps: Steps,
  kind: Post['kind'],
  items: readonly HubArticle[],
  posts: Posts,
): Promise<void> {
  const list = kind === 'post' ? 'posts' : 'articles';
  const { present, absent } = itemsOf(list, items);
  await steps.each(present, TEXTS_A_STEP, async ({ tx, caller, count }, part) => {
    for (const { item } of part) {
      const author = await findAccount(tx, item.author);
      if (author?.kind !== 'user') throw changedConcurrently();
      const existing = await findPost(tx, kind, author.id, item.slug);
      const wanted = {
        ...(item.title !== undefined && { title: item.title }),
        ...(item.canonical !== undefined && { canonical: item.canonical ? 1 : 0 }),
      };
      const change = existing && changedColumns(existing, wanted);
      if (change) await posts.update(tx, caller, existing, change);
      if (!existing) {
        const fresh = { title: item.slug, canonical: 0, ...wanted };
        await posts.insert(tx, caller, { kind, author_id: author.id, slug: item.slug, ...fresh });
      }
      count(list, !existing ? 'created' : change ? 'updated' : 'unchanged');
    }
  });
  await steps.each(absent, TEXTS_A_STEP, async ({ tx, caller, count }, part) => {
    for (const { item } of part) {
      const author = await findAccount(tx, item.author);
      const existing = author && (await findPost(tx, kind, author.id, item.slug));
      if (!existing) continue;
      await posts.remove(tx, caller, existing);
      count(list, 'removed');
    }
  });
}
