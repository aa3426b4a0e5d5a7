import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import { nameKey } from '../../accounts/index.ts';
import { conflict } from '../../platform/http/errors.ts';

/** An item of a list with its path: `users.0`. */
export interface ItemWithPath<T> {
  readonly item: T;
  readonly path: string;
}

/** Splits a list into present and absent items with their paths; absent ones are in reverse order. */
export function itemsOf<T extends { state?: 'absent' | undefined }>(kind: string, items: readonly T[]) {
  const all = items.map((item, at): ItemWithPath<T> => ({ item, path: `${kind}.${at}` }));
  return {
    present: all.filter(({ item }) => item.state !== 'absent'),
    absent: all.filter(({ item }) => item.state === 'absent').reverse(),
  };
}

/** Returns those of the wanted columns that differ from a row's. */
export function changedColumns<Row extends object>(row: Row, wanted: Partial<Row>): Partial<Row> | undefined {
  const changed: Partial<Row> = {};
  let isChanged = false;
  for (const key in wanted)
    if (wanted[key] !== undefined && row[key] !== wanted[key]) {
      changed[key] = wanted[key];
      isChanged = true;
    }
  return isChanged ? changed : undefined;
}

/** Returns the error for changes between checking and applying the document. */
export const changedConcurrently = () =>
  conflict('The hub changed while the document was being applied: apply it again');

type NamedRepo = Pick<HubDocument['repos'][number], 'type' | 'name'>;

/** Returns the key of a repository in the state of a hub. */
export const repoKey = ({ type, name }: NamedRepo): string => `${type} ${nameKey(name)}`;

/** Returns whether a document says more about a Space than about any repository. */
export const hasSpaceSettings = ({ variables, secrets, volumes }: HubDocument['repos'][number]): boolean =>
  (variables ?? secrets ?? volumes) !== undefined;

/** Splits the name of a repository in a document. */
export function repoNameOf(item: NamedRepo) {
  const [namespace = '', name = ''] = item.name.split('/');
  return { type: item.type, namespace, name };
}
