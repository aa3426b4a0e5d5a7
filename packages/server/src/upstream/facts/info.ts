import { RepoInfo } from '@moonbase/contract/repositories/reading';
import * as z from 'zod';
import { OBJECT_ID } from '../../platform/git/objects/object.ts';
import { isNamePart } from './forms.ts';

/** What the hub has to know of a repository's info. */
const Facts = z.object({
  _id: z.string().max(100).optional().catch(undefined),
  id: z.string().refine((name) => name.split('/').length === 2 && name.split('/').every(isNamePart)),
  sha: z.string().regex(OBJECT_ID),
  private: z.boolean(),
  gated: z.union([z.boolean(), z.string()]).nullish(),
  disabled: z.boolean().nullish(),
});

export interface UpstreamInfo {
  /** namespace/name, as the upstream writes it. */
  readonly name: string;
  readonly remoteId: string | undefined;
  readonly commit: string;
  /** Whether only some may know of the repository. */
  readonly isHidden: boolean;
  /** Whether its files are for those who asked. */
  readonly isGated: boolean;
}

/** Returns the facts of an info; undefined if it has another form. */
export function factsIn(json: unknown): UpstreamInfo | undefined {
  const { data } = Facts.safeParse(json);
  if (!data) return undefined;
  return {
    ...{ name: data.id, remoteId: data._id, commit: data.sha },
    isHidden: data.private || data.disabled === true,
    isGated: (data.gated ?? false) !== false,
  };
}

/**
 * Returns those fields of an info that this hub knows, for its own clients; fields of another form are left out. Undefined
 * if it is no info.
 */
export function infoOf(json: unknown, id: string): z.input<typeof RepoInfo> | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const fields: Record<string, unknown> = { ...json, _id: id };
  const { data, error } = RepoInfo.safeParse(fields);
  if (data) return data;
  for (const { path } of error.issues) delete fields[String(path[0])];
  return RepoInfo.safeParse(fields).data;
}

const Ref = z.object({ name: z.string(), ref: z.string(), targetCommit: z.string() });

/** The answer about branches and tags. */
export const Refs = z.object({
  branches: z.array(Ref),
  tags: z.array(Ref).default([]),
  converts: z.array(Ref).default([]),
  pullRequests: z.array(Ref).optional(),
});
