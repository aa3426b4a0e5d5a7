import { z } from 'zod';
import { defineTopic } from '../src/platform/events/topic.ts';
import { defineTask } from '../src/platform/queue/tasks.ts';

/** A topic whose events may say anything. */
export const anyTopic = (name: string) => defineTopic({ name, version: 1, data: z.looseObject({}) });

/** A kind of task that needs to know anything. */
export const anyTask = (name: string) => defineTask(name, z.unknown());
