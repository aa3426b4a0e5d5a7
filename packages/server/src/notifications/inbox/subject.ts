import { REPO_TYPES, type RepoType } from '@moonbase/contract/primitives';
import type { NotificationRow } from '../tables.ts';

/** What a thread is about. */
export type Subject = NotificationRow['subject'];

export const isRepoType = (subject: Subject): subject is RepoType => REPO_TYPES.some((type) => type === subject);

/** How closely a user is involved in a thread, in ascending order: watches, takes part, was mentioned. */
export const WATCHES = 0;
export const TAKES_PART = 1;
export const MENTIONED = 2;
