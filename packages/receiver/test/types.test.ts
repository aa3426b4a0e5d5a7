import { EVENTS, type WebhookPayload as WirePayload } from '@moonbase/contract/webhooks/payload';
import { expect, expectTypeOf, test } from 'vitest';
import {
  type Comment,
  createReceiver,
  type Discussion,
  EVENT_NAMES,
  isEvent,
  type Scope,
  type UpdatedRef,
  type WebhookPayload,
} from '../src/index.ts';
import { keptLog } from './messages.ts';

const receiver = createReceiver({ secret: 'hush', log: keptLog() });

test('the events are those of the hub, and `repo.update`, which the public hub has', () => {
  const sent = EVENTS.map(({ scope, action }) => `${scope}.${action}`);
  expect([...EVENT_NAMES].sort()).toEqual([...sent, 'repo.update'].sort());
});

test('the payload types match those of the hub, and are more precise', () => {
  expectTypeOf<Omit<WebhookPayload, 'updatedRefs'>>().toExtend<Omit<WirePayload, 'updatedRefs'>>();
  expectTypeOf<UpdatedRef>().toExtend<NonNullable<WirePayload['updatedRefs']>[number]>();
  expectTypeOf<keyof WebhookPayload>().toEqualTypeOf<keyof WirePayload>();
  expectTypeOf<Scope>().toEqualTypeOf<WirePayload['event']['scope']>();
  expectTypeOf<WebhookPayload['repo']['type']>().toEqualTypeOf<WirePayload['repo']['type']>();
  expectTypeOf<keyof WebhookPayload['repo']>().toEqualTypeOf<keyof WirePayload['repo']>();
  expectTypeOf<keyof Discussion>().toEqualTypeOf<keyof NonNullable<WirePayload['discussion']>>();
});

test('a handler gets the payload of its topic', () => {
  receiver.on('repo.move', ({ movedTo, discussion }) => {
    expectTypeOf(movedTo.name).toEqualTypeOf<string>();
    expectTypeOf(discussion).toEqualTypeOf<Discussion | undefined>();
  });
  receiver.on('repo', ({ event, movedTo }) => {
    expectTypeOf(event.scope).toEqualTypeOf<'repo'>();
    expectTypeOf(event.action).toEqualTypeOf<'create' | 'delete' | 'update' | 'move'>();
    expectTypeOf<undefined>().toExtend<typeof movedTo>();
  });
  receiver.on('discussion.comment', ({ discussion, comment }) => {
    expectTypeOf(discussion).toEqualTypeOf<Discussion>();
    expectTypeOf(comment).toEqualTypeOf<Comment>();
  });
  receiver.on('*', (payload) => {
    expectTypeOf(payload).toEqualTypeOf<WebhookPayload>();
  });
  // @ts-expect-error There is no such event.
  expect(() => receiver.on('repo.moved', () => {})).toThrow();
});

test('isEvent narrows to an event or a scope', () => {
  const look = (payload: WebhookPayload) => {
    if (isEvent(payload, 'repo.content.update')) return payload.updatedRefs.map(({ ref }) => ref);
    if (isEvent(payload, 'discussion')) return [payload.discussion.title];
    expectTypeOf(payload.event.scope).toEqualTypeOf<'repo' | 'repo.config' | 'discussion.comment'>();
    return [];
  };
  expectTypeOf(look).returns.toEqualTypeOf<string[]>();
});

test('the content of a comment depends on whether it is hidden', () => {
  const read = (comment: Comment) => (comment.hidden ? '(hidden)' : comment.content);
  expectTypeOf(read).returns.toEqualTypeOf<string>();
});
