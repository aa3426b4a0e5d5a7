import { RepoInfo } from '@moonbase/contract/repositories/reading';
import { z } from 'zod';

/** What the hub has to know of a repository's info. */
const Facts = z.object({
  id: z.string().regex(/^[\w.-]{1,96}\/[\w.-]{1,96}$/),
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  private: z.boolean(),
  gated: z.union([z.literal(false), z.string()]).nullish(),
  disabled: z.boolean().nullish(),
});

export interface UpstreamInfo {
  /** namespace/name, as the upstream writes it. */
  readonly name: string;
  readonly commit: string;
  /** Whether everybody may read the files there. */
  readonly isOpen: boolean;
}

/** Returns the facts of an info; undefined if it has another form. */
export function factsIn(json: unknown): UpstreamInfo | undefined {
  const { data } = Facts.safeParse(json);
  if (!data) return undefined;
  const isGated = data.gated !== undefined && data.gated !== null && data.gated !== false;
  return { name: data.id, commit: data.sha, isOpen: !data.private && !isGated && data.disabled !== true };
}

const MAX_FAULTY = 50;

/**
 * Returns those fields of an info that this hub knows, for its own clients; fields of another form are left out. Undefined
 * if it is no info.
 */
export function infoOf(json: unknown, id: string): z.input<typeof RepoInfo> | undefined {
  if (typeof json !== 'object' || json === null || !('id' in json)) return undefined;
  const fields: Record<string, unknown> = { ...json };
  for (let faulty = 0; faulty <= MAX_FAULTY; faulty++) {
    const { data, error } = RepoInfo.safeParse(fields);
    if (data) return data;
    for (const { path } of error.issues) {
      const [field] = path;
      if (field === '_id' && fields._id !== id) fields._id = id;
      else delete fields[String(field)];
    }
  }
  return undefined;
}

const Ref = z.object({ name: z.string(), ref: z.string(), targetCommit: z.string() });

/** The answer about branches and tags. */
export const Refs = z.object({
  branches: z.array(Ref),
  tags: z.array(Ref).default([]),
  converts: z.array(Ref).default([]),
  pullRequests: z.array(Ref).optional(),
});
