import { REPO_TYPES, type RepoType } from '@moonbase/contract/primitives';
import type { NotificationRow } from '../tables.ts';

/** What a thread is about. */
export type Subject = NotificationRow['subject'];

export const isRepoType = (subject: string): subject is RepoType => (REPO_TYPES as readonly string[]).includes(subject);

/** How much a user has to do with a thread, the most of it: watches, takes part, was mentioned. */
export const WATCHES = 0;
export const TAKES_PART = 1;
export const MENTIONED = 2;
