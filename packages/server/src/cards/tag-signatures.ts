import * as z from 'zod';
import { defineTask, type StepOf } from '../platform/queue/tasks.ts';
import { signNext } from './card-store.ts';

const BATCH_REPOS = 500;

export const signTagsTask = defineTask('cards.tag-signatures', z.null());

/** Makes the signatures of tags that repositories of an earlier release lack, a batch per step. */
export const signTags: StepOf<typeof signTagsTask> = async (tx) =>
  (await signNext(tx, BATCH_REPOS)) ? { data: null } : 'done';
