import * as hub from '@huggingface/hub';
import { collect } from '../../packages/server/test/harness.ts';
import type { Expected } from './outcomes.ts';
import type { World } from './world.ts';

/** A call of a function of `@huggingface/hub`, and what it comes to. */
export interface Call extends Expected {
  readonly name: keyof typeof hub;
  /** What the function is called for, where it has several rows. */
  readonly of?: string;
  /** Returns what the function does; `false`, `null` and an empty list mean that it did nothing. */
  readonly run: () => unknown;
}

/** Waits for the end of what need not yield anything. */
async function endOf(yielding: AsyncIterable<unknown>): Promise<void> {
  await collect(yielding);
}

const text = (content: string) => new Blob([content]);

/** A file of weights with one tensor of four numbers. */
function weights(): Blob {
  const header = JSON.stringify({ w: { dtype: 'F32', shape: [2, 2], data_offsets: [0, 16] } });
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(header.length), true);
  return new Blob([length, header, new Uint8Array(16)]);
}

/** Returns calls of every function that asks the hub, in an order in which each finds what it needs. */
export function callsOf(world: World, cacheDir: string): readonly Call[] {
  return [...onRepos(world, cacheDir), ...onBuckets(world), ...onJobs(world), ...onOauth(world)];
}

const MODEL = { type: 'model', name: 'bob/tour' } as const;
const BUCKET = { type: 'bucket', name: 'bob/box' } as const;

function onRepos(world: World, cacheDir: string): readonly Call[] {
  const bob = world.as('bob');
  const at = { ...bob, repo: MODEL };
  let slug = '';
  return [
    { name: 'whoAmI', run: () => hub.whoAmI(bob) },
    ...(['model', 'dataset', 'space'] as const).map((type): Call => {
      const sdk = type === 'space' ? { sdk: 'gradio' as const } : {};
      return {
        name: 'createRepo',
        of: type,
        run: () => hub.createRepo({ ...bob, ...sdk, repo: { type, name: 'bob/tour' } }),
      };
    }),
    { name: 'repoExists', run: () => hub.repoExists(at) },
    { name: 'checkRepoAccess', run: () => hub.checkRepoAccess(at) },
    { name: 'uploadFile', run: () => hub.uploadFile({ ...at, file: { path: 'a.txt', content: text('a') } }) },
    {
      name: 'uploadFiles',
      run: () => hub.uploadFiles({ ...at, files: [{ path: 'model.safetensors', content: weights() }] }),
    },
    {
      name: 'uploadFilesWithProgress',
      run: () => endOf(hub.uploadFilesWithProgress({ ...at, files: [{ path: 'b/c.txt', content: text('c') }] })),
    },
    {
      name: 'commit',
      run: () =>
        hub.commit({ ...at, title: 'd', operations: [{ operation: 'addOrUpdate', path: 'd', content: text('d') }] }),
    },
    {
      name: 'commitIter',
      run: () => endOf(hub.commitIter({ ...at, title: 'e', operations: [{ operation: 'delete', path: 'd' }] })),
    },
    { name: 'listFiles', run: () => collect(hub.listFiles({ ...at, recursive: true })) },
    { name: 'pathsInfo', run: () => hub.pathsInfo({ ...at, paths: ['a.txt'] }) },
    { name: 'fileExists', run: () => hub.fileExists({ ...at, path: 'a.txt' }) },
    { name: 'fileDownloadInfo', run: () => hub.fileDownloadInfo({ ...at, path: 'a.txt' }) },
    { name: 'downloadFile', run: async () => (await hub.downloadFile({ ...at, path: 'a.txt' }))?.text() },
    { name: 'downloadFileToCacheDir', run: () => hub.downloadFileToCacheDir({ ...at, path: 'a.txt', cacheDir }) },
    { name: 'snapshotDownload', run: () => hub.snapshotDownload({ ...at, cacheDir }) },
    { name: 'parseSafetensorsMetadata', run: () => hub.parseSafetensorsMetadata(at) },
    { name: 'listCommits', run: () => collect(hub.listCommits(at)) },
    { name: 'countCommits', run: () => hub.countCommits({ ...at, revision: 'main' }) },
    { name: 'deleteFile', run: () => hub.deleteFile({ ...at, path: 'a.txt' }) },
    { name: 'deleteFiles', run: () => hub.deleteFiles({ ...at, paths: ['b/c.txt'] }) },
    { name: 'createBranch', run: () => hub.createBranch({ ...at, branch: 'next' }) },
    { name: 'deleteBranch', run: () => hub.deleteBranch({ ...at, branch: 'next' }) },
    { name: 'modelInfo', run: () => hub.modelInfo({ ...bob, name: MODEL.name }) },
    { name: 'datasetInfo', run: () => hub.datasetInfo({ ...bob, name: MODEL.name }) },
    { name: 'spaceInfo', run: () => hub.spaceInfo({ ...bob, name: MODEL.name }) },
    { name: 'listModels', run: () => collect(hub.listModels({ ...bob, search: { owner: 'bob' } })) },
    { name: 'listDatasets', run: () => collect(hub.listDatasets({ ...bob, search: { owner: 'bob' } })) },
    { name: 'listSpaces', run: () => collect(hub.listSpaces({ ...bob, search: { owner: 'bob' } })) },
    {
      name: 'createCollection',
      run: async () => {
        ({ slug } = await hub.createCollection({ ...bob, collection: { title: 'Reading', namespace: 'bob' } }));
      },
    },
    { name: 'listCollections', run: () => collect(hub.listCollections({ ...bob, search: { owner: ['bob'] } })) },
    { name: 'deleteCollection', run: () => hub.deleteCollection({ ...bob, slug }) },
    { name: 'deleteRepo', run: () => hub.deleteRepo({ ...bob, repo: { type: 'dataset', name: 'bob/tour' } }) },
  ];
}

function onBuckets(world: World): readonly Call[] {
  const bob = world.as('bob');
  const from = { repo: BUCKET, path: 'a.txt' };
  const to = (path: string) => ({ ...bob, source: from, destination: { repo: BUCKET, path } });
  const folder = { ...bob, source: { repo: BUCKET, path: 'copies' }, destination: { repo: BUCKET, path: 'again' } };
  const files = { ...bob, destination: BUCKET, files: [{ source: from, destinationPath: 'copies/c.txt' }] };
  const add = [{ operation: 'addOrUpdate' as const, path: 'a.txt', content: text('a') }];
  return [
    { name: 'createRepo', of: 'bucket', run: () => hub.createRepo({ ...bob, repo: BUCKET }) },
    {
      name: 'commitIterBucket',
      run: () => endOf(hub.commitIterBucket({ ...bob, repo: BUCKET, title: 'a', operations: add })),
    },
    { name: 'copyFile', run: () => hub.copyFile(to('copies/a.txt')) },
    { name: 'copyFileIter', run: () => endOf(hub.copyFileIter(to('copies/b.txt'))) },
    { name: 'copyFiles', run: () => hub.copyFiles(files) },
    { name: 'copyFilesIter', run: () => endOf(hub.copyFilesIter(files)) },
    { name: 'copyFolder', run: () => hub.copyFolder(folder) },
    { name: 'copyFolderIter', run: () => endOf(hub.copyFolderIter(folder)) },
  ];
}

function onJobs(world: World): readonly Call[] {
  const bob = { ...world.as('bob'), namespace: 'bob' };
  const job = { dockerImage: 'python:3.12', flavor: 'cpu-basic', environment: {} } as const;
  let [jobId, again, scheduled] = ['', '', ''];
  return [
    { name: 'listJobHardware', run: () => hub.listJobHardware(bob) },
    {
      name: 'runJob',
      run: async () => {
        ({ id: jobId } = await hub.runJob({ ...bob, ...job, command: ['echo', 'hello'] }));
      },
    },
    { name: 'streamJobLogs', run: () => collect(hub.streamJobLogs({ ...bob, jobId })) },
    { name: 'streamJobEvents', run: () => collect(hub.streamJobEvents({ ...bob, jobId })) },
    { name: 'streamJobMetrics', run: () => endOf(hub.streamJobMetrics({ ...bob, jobId })) },
    { name: 'getJob', run: () => hub.getJob({ ...bob, jobId }) },
    { name: 'listJobs', run: () => hub.listJobs(bob) },
    {
      name: 'duplicateJob',
      run: async () => {
        ({ id: again } = await hub.duplicateJob({ ...bob, jobId }));
      },
    },
    { name: 'cancelJob', run: () => hub.cancelJob({ ...bob, jobId: again }) },
    {
      name: 'createScheduledJob',
      run: async () => {
        const jobSpec = { ...job, command: ['echo', 'hello'] };
        ({ id: scheduled } = await hub.createScheduledJob({ ...bob, jobSpec, schedule: '@daily' }));
      },
    },
    { name: 'listScheduledJobs', run: () => hub.listScheduledJobs(bob) },
    { name: 'getScheduledJob', run: () => hub.getScheduledJob({ ...bob, jobId: scheduled }) },
    { name: 'runScheduledJob', run: () => hub.runScheduledJob({ ...bob, jobId: scheduled }) },
    { name: 'suspendScheduledJob', run: () => hub.suspendScheduledJob({ ...bob, jobId: scheduled }) },
    { name: 'resumeScheduledJob', run: () => hub.resumeScheduledJob({ ...bob, jobId: scheduled }) },
    { name: 'deleteScheduledJob', run: () => hub.deleteScheduledJob({ ...bob, jobId: scheduled }) },
  ];
}

function onOauth({ hubUrl }: World): readonly Call[] {
  const browser = { refused: 'only available in the browser' };
  return [
    { name: 'oauthLoginUrl', ...browser, run: () => hub.oauthLoginUrl({ hubUrl, clientId: 'x' }) },
    { name: 'oauthHandleRedirect', ...browser, run: () => hub.oauthHandleRedirect({ hubUrl }) },
    { name: 'oauthHandleRedirectIfPresent', ...browser, run: () => hub.oauthHandleRedirectIfPresent({ hubUrl }) },
  ];
}

/** The functions that ask no hub, by what they do. */
export const LOCAL: readonly (readonly [what: string, names: readonly (keyof typeof hub)[]])[] = [
  [
    'reads the cache on this machine',
    ['getHFHubCachePath', 'getRepoFolderName', 'parseRepoType', 'scanCacheDir', 'scanCachedRepo', 'scanRefsDir'],
  ],
  ['reads the cache on this machine', ['scanSnapshotDir', 'getBlobStat', 'relativeUnderFolder']],
  [
    'works on names and headers of weights',
    [
      ...(['assertSafeShardFilename', 'encodeShardFilename', 'parseSafetensorsShardFilename'] as const),
      ...(['computeNumOfParamsByDtypeSingleFile', 'parseTotalParameters', 'validateTensorEntry'] as const),
      ...(['getQuantizationMultiplier', 'isQuantizedTensor', 'matchesCompressedTensorsTarget'] as const),
    ],
  ],
  ['works on texts and streams', ['globMatch', 'streamJson']],
  ['for the client itself', ['__internal_sha256']],
];
