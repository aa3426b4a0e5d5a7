import type { Webhook as WireWebhook } from '@moonbase/contract/webhooks/webhooks';
import { expectTypeOf, test } from 'vitest';
import type { applyHub, HubDocument, HubReport } from './generated/admin.ts';
import type { getAvatar } from './generated/avatars.ts';
import type { createDiscussion } from './generated/discussions.ts';
import type { whoAmI } from './generated/profiles.ts';
import type { createRepo, updateRepoSettings } from './generated/repositories.ts';
import type { getReady } from './generated/service.ts';
import {
  type createWebhook,
  type Delivery,
  listDeliveries,
  type setWebhookState,
  type WebhookInput,
} from './generated/webhooks.ts';
import type { Operation } from './operation.ts';
import type { Fetch, Hub } from './request.ts';

type Params<F extends (params: never) => unknown> = Parameters<F>[0];

test('the address of the hub is the only required option', () => {
  expectTypeOf<{ hubUrl: string }>().toExtend<Hub>();
  expectTypeOf<{ accessToken: string }>().not.toExtend<Hub>();
  expectTypeOf<{ hubUrl: string; accessToken: string | undefined; signal: undefined }>().toExtend<Hub>();
  expectTypeOf<typeof fetch>().toExtend<Fetch>();
});

test('parameters with a default may be omitted', () => {
  expectTypeOf<Hub & { repo: string }>().toExtend<Params<typeof createRepo>>();
  expectTypeOf<{
    watched: [];
    domains: ['repo'];
    job: { flavor: 'cpu-basic'; timeoutSeconds: null };
  }>().toExtend<WebhookInput>();
  expectTypeOf<{ watched: []; domains: ['repo']; job: { flavor: 'cpu-basic' } }>().toExtend<WebhookInput>();
  expectTypeOf<{ users: { name: 'ada'; tokens: { name: 'laptop' }[] }[] }>().toExtend<HubDocument>();
  expectTypeOf<{ users: { fullname: 'Ada' }[] }>().not.toExtend<HubDocument>();
});

test('parameters have the types of the wire format', () => {
  expectTypeOf<Params<typeof createRepo>['type']>().toEqualTypeOf<
    'dataset' | 'model' | 'space' | 'bucket' | 'kernel' | undefined
  >();
  expectTypeOf<Params<typeof createDiscussion>['type']>().toEqualTypeOf<'dataset' | 'model' | 'space' | 'kernel'>();
  expectTypeOf<Params<typeof updateRepoSettings>['settings']['gated']>().toEqualTypeOf<
    false | 'auto' | 'manual' | undefined
  >();
  expectTypeOf<Params<typeof setWebhookState>['action']>().toEqualTypeOf<'enable' | 'disable'>();
  expectTypeOf<Params<typeof createRepo>>().not.toHaveProperty('organization');
  expectTypeOf<Params<typeof listDeliveries>>().not.toHaveProperty('cursor');
});

test('results have the types of success responses', () => {
  expectTypeOf<Awaited<ReturnType<typeof getReady>>>().toEqualTypeOf<{ status: 'ok' }>();
  expectTypeOf<Awaited<ReturnType<typeof createWebhook>>>().toEqualTypeOf<{ webhook: WireWebhook }>();
  expectTypeOf<Awaited<ReturnType<typeof applyHub>>>().toEqualTypeOf<HubReport>();
  expectTypeOf<Awaited<ReturnType<typeof whoAmI>>['auth']['type']>().toEqualTypeOf<
    'access_token' | 'session' | 'oauth'
  >();
  expectTypeOf<Awaited<ReturnType<typeof getAvatar>>>().toEqualTypeOf<Blob>();
  expectTypeOf(listDeliveries).returns.toEqualTypeOf<AsyncGenerator<Delivery, void, undefined>>();
});

test('an operation must match its route', () => {
  type Routes = typeof import('@moonbase/contract/webhooks/webhooks');
  type Delete = Operation<Routes['deleteWebhook']>;
  expectTypeOf<Delete['method']>().toEqualTypeOf<'DELETE'>();
  expectTypeOf<Delete['path']>().toEqualTypeOf<'/api/settings/webhooks/{webhookId}'>();
  expectTypeOf<Delete['params']>().toEqualTypeOf<{ readonly webhookId: string | number | boolean }>();
  expectTypeOf<Delete>().not.toHaveProperty('body');
  expectTypeOf<Operation<Routes['createWebhook']>['body']>().toEqualTypeOf<WebhookInput>();
  expectTypeOf<Operation<Routes['listWebhooks']>>().not.toHaveProperty('params');
});
