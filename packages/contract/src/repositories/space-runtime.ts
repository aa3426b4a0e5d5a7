import * as z from 'zod';
import { Volume } from '../jobs/specification.ts';
import { Empty, RepoParams } from '../primitives.ts';
import { defineRoute } from '../route.ts';

/** What every refusal of something that would have to run begins with (B§7). */
export const SPACES_DO_NOT_RUN = 'This hub stores Spaces but does not run them';

const NOT_IMPLEMENTED = {
  501: 'With the code `NotImplemented`: the hub does not run Spaces. Whoever may not write to the Space gets 403 or 404.',
} as const;

/** A line of the log of a Space. */
export interface SpaceLogLine {
  readonly data: string;
  readonly timestamp: string;
}

/** The state of a Space (B§7). Nothing runs, so that only the volumes differ. */
export const SpaceRuntime = z
  .object({
    stage: z.literal('PAUSED'),
    errorMessage: z.string(),
    hardware: z.object({ current: z.null(), requested: z.null() }),
    storage: z.null(),
    gcTimeout: z.null(),
    replicas: z.object({ current: z.null(), requested: z.literal(0) }),
    devMode: z.literal(false),
    volumes: z.array(Volume).meta({ description: 'Those whose bucket or repository the caller may read.' }),
  })
  .meta({ id: 'SpaceRuntime' });
export type SpaceRuntime = z.infer<typeof SpaceRuntime>;

const tags = ['spaces'];
export const SpaceParams = RepoParams.omit({ repoType: true });
const path = '/api/spaces/{namespace}/{repo}';

export const getSpaceRuntime = defineRoute({
  id: 'getSpaceRuntime',
  method: 'GET',
  path: `${path}/runtime`,
  summary: 'Get the state of a Space',
  description: 'This hub does not run Spaces: each is paused.',
  tags,
  authority: 'repo.content.read',
  anonymous: true,
  params: SpaceParams,
  answers: { 200: SpaceRuntime },
});

export const pauseSpace = defineRoute({
  id: 'pauseSpace',
  method: 'POST',
  path: `${path}/pause`,
  summary: 'Pause a Space',
  description: 'Changes nothing, since no Space runs.',
  tags,
  authority: 'repo.write',
  params: SpaceParams,
  answers: { 200: SpaceRuntime },
});

const running = {
  method: 'POST',
  tags,
  authority: 'repo.write',
  params: SpaceParams,
  answers: { 200: SpaceRuntime },
  otherAnswers: NOT_IMPLEMENTED,
} as const;

export const restartSpace = defineRoute({
  ...running,
  id: 'restartSpace',
  path: `${path}/restart`,
  summary: 'Restart a Space',
  query: z.object({ factory: z.string().max(10).optional() }),
});

export const requestSpaceHardware = defineRoute({
  ...running,
  id: 'requestSpaceHardware',
  path: `${path}/hardware`,
  summary: 'Request hardware for a Space',
  body: z.object({ flavor: z.string().max(100), sleepTimeSeconds: z.int().optional() }),
});

export const setSpaceSleepTime = defineRoute({
  ...running,
  id: 'setSpaceSleepTime',
  path: `${path}/sleeptime`,
  summary: 'Set after which time without requests a Space sleeps',
  body: z.object({ seconds: z.int() }),
});

export const setSpaceDevMode = defineRoute({
  ...running,
  id: 'setSpaceDevMode',
  path: `${path}/dev-mode`,
  summary: 'Turn the dev mode of a Space on or off',
  body: z.object({ enabled: z.boolean() }),
});

export const requestSpaceStorage = defineRoute({
  ...running,
  id: 'requestSpaceStorage',
  path: `${path}/storage`,
  summary: 'Request persistent storage for a Space',
  body: z.object({ tier: z.string().max(100) }),
});

export const deleteSpaceStorage = defineRoute({
  ...running,
  id: 'deleteSpaceStorage',
  method: 'DELETE',
  path: `${path}/storage`,
  summary: 'Delete the persistent storage of a Space',
});

export const streamSpaceLogs = defineRoute({
  id: 'streamSpaceLogs',
  method: 'GET',
  path: `${path}/logs/{kind}`,
  summary: 'Read the log of a Space',
  description: 'One server-sent event `{data, timestamp}`, which says that the hub does not run Spaces.',
  tags,
  authority: 'repo.content.read',
  params: SpaceParams.extend({ kind: z.enum(['build', 'run']) }),
  answers: {},
  otherAnswers: { 200: 'The event, as `text/event-stream`.' },
});

const live = {
  method: 'GET',
  tags,
  authority: 'repo.content.read',
  params: SpaceParams,
  answers: { 200: Empty },
  otherAnswers: {
    501: 'With the code `NotImplemented`: the hub does not run Spaces. Whoever may not read the Space gets 404.',
  },
} as const;

export const streamSpaceEvents = defineRoute({
  ...live,
  id: 'streamSpaceEvents',
  path: `${path}/events`,
  summary: 'Follow the state of a Space',
  description: 'Always 501, since the state never changes: `getSpaceRuntime` returns it.',
  query: z.object({ session_uuid: z.string().max(100).optional().meta({ description: 'Ignored.' }) }),
});

export const streamSpaceMetrics = defineRoute({
  ...live,
  id: 'streamSpaceMetrics',
  path: `${path}/metrics`,
  summary: 'Follow what a Space uses',
  description: 'Always 501, since nothing runs.',
});

export const listSpaceHardware = defineRoute({
  id: 'listSpaceHardware',
  method: 'GET',
  path: '/api/spaces/hardware',
  summary: 'List hardware for Spaces',
  description: 'Empty, since this hub does not run Spaces.',
  tags,
  authority: 'signed-in',
  answers: { 200: z.array(z.never()) },
});

export const listSpaceTemplates = defineRoute({
  id: 'listSpaceTemplates',
  method: 'GET',
  path: '/api/spaces/templates',
  summary: 'List templates of Spaces',
  description: 'Empty: this hub has none. Duplicate a Space instead.',
  tags,
  authority: 'signed-in',
  answers: { 200: z.object({ templates: z.array(z.never()) }) },
});

export const getZeroGpuQuota = defineRoute({
  id: 'getZeroGpuQuota',
  method: 'GET',
  path: '/api/spaces/zero-gpu/quota',
  summary: 'Get the ZeroGPU quota of the caller',
  tags,
  authority: 'signed-in',
  answers: { 200: z.object({}) },
  otherAnswers: { 501: 'With the code `NotImplemented`: the hub does not run Spaces.' },
});

export const spaceLogRoutes = [streamSpaceLogs] as const;

export const spaceRuntimeRoutes = [
  getSpaceRuntime,
  pauseSpace,
  restartSpace,
  requestSpaceHardware,
  setSpaceSleepTime,
  setSpaceDevMode,
  requestSpaceStorage,
  deleteSpaceStorage,
  streamSpaceEvents,
  streamSpaceMetrics,
  listSpaceHardware,
  listSpaceTemplates,
  getZeroGpuQuota,
] as const;
