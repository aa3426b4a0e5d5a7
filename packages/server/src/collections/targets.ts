import type { CollectionItemType } from '@moonbase/contract/repositories/collections';
import { findPaper } from '../papers/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { badRequest } from '../platform/http/errors.ts';
import { listReadable, resolveNames } from '../repositories/index.ts';
import { keyOf } from './lookup.ts';
import { findCollection } from './store.ts';
import type { ItemTarget } from './tables.ts';

/** What somebody wants in a collection. */
export interface GivenItem {
  readonly type: CollectionItemType;
  readonly id: string;
}

const NOTHING: ItemTarget = { repo_id: null, paper_id: null, nested_id: null };

const SEGMENTS = {
  models: 'model',
  datasets: 'dataset',
  spaces: 'space',
  buckets: 'bucket',
  papers: 'paper',
  collections: 'collection',
} as const satisfies Record<string, CollectionItemType>;

const isSegment = (text: string): text is keyof typeof SEGMENTS => Object.hasOwn(SEGMENTS, text);

/** Parses an item in a query, such as `models/ns/name`. Throws 400 for any other form. */
export function itemIn(text: string): GivenItem {
  const [segment = '', ...rest] = text.split('/');
  const id = rest.join('/');
  if (!isSegment(segment) || id === '')
    throw badRequest(`query.item: must be like models/ns/name, of one of ${Object.keys(SEGMENTS).join(', ')}`);
  return { type: SEGMENTS[segment], id };
}

async function paperTarget(executor: ReadExecutor, id: string): Promise<ItemTarget | undefined> {
  const paper = await findPaper(executor, id);
  return paper && { ...NOTHING, paper_id: paper.id };
}

async function nestedTarget(executor: ReadExecutor, principal: Principal, text: string) {
  const [first = '', ...rest] = text.split('/');
  const key = keyOf(
    rest.length === 0 ? { namespace: undefined, slug: first } : { namespace: first, slug: rest.join('/') },
  );
  const found = key && (await findCollection(executor, principal, key));
  return found && { ...NOTHING, nested_id: found.id };
}

/** Returns what is named, undefined for each item that is not there or that the caller may not read. */
export async function resolveTargets(
  executor: ReadExecutor,
  principal: Principal,
  items: readonly GivenItem[],
): Promise<(ItemTarget | undefined)[]> {
  const repos = items.flatMap(({ type, id }) =>
    type === 'paper' || type === 'collection' ? [] : [{ type, name: id }],
  );
  const ids = await resolveNames(executor, repos);
  const known = ids.flatMap((id) => id ?? []);
  const readable = new Set((await listReadable(executor, known, principal)).map(({ id }) => id));
  const repoTargets = ids.map((id) => (id !== undefined && readable.has(id) ? { ...NOTHING, repo_id: id } : undefined));
  const targets: (ItemTarget | undefined)[] = [];
  for (const { type, id } of items) {
    if (type === 'paper') targets.push(await paperTarget(executor, id));
    else if (type === 'collection') targets.push(await nestedTarget(executor, principal, id));
    else targets.push(repoTargets.shift());
  }
  return targets;
}
