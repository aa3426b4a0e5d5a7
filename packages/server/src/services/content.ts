import { createAvatars, createRender } from '../avatars/index.ts';
import { createBuckets, filesOfBucket, totalsOf } from '../buckets/index.ts';
import { createCards, createDownloadCounter } from '../cards/index.ts';
import { createCatalog } from '../catalog/index.ts';
import { createCollections } from '../collections/index.ts';
import { createComments, createTexts } from '../comments/index.ts';
import type { Config } from '../config.ts';
import {
  createBucketGit,
  createCollection,
  createContentParts,
  createLargeFiles,
  createUpkeep,
} from '../content/index.ts';
import { createDiscussions, requireDiscussions } from '../discussions/index.ts';
import { createGit } from '../git/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import { createLfs } from '../lfs/index.ts';
import { createLikes } from '../likes/index.ts';
import type { Metrics } from '../metrics.ts';
import { createClaims, createPapers } from '../papers/index.ts';
import type { Authenticate } from '../platform/http/authenticate.ts';
import type { FailedRequest } from '../platform/http/route.ts';
import { createMarkdown } from '../platform/markdown/markdown.ts';
import { createPosts } from '../posts/index.ts';
import { createFollowers, createProfiles, createSocials } from '../profiles/index.ts';
import { createQuickSearch } from '../quick-search/index.ts';
import { createRedirects, createRepositories } from '../repositories/index.ts';
import { createAccessReport, createResourceGroups } from '../resource-groups/index.ts';
import { createMcpSettings, createSettings } from '../settings/index.ts';
import { createSpaces, runtimeOf } from '../spaces/index.ts';
import { createUpstream, type Upstream } from '../upstream/index.ts';
import { createWatching } from '../watching/index.ts';
import { createXet, type Xet } from '../xet/index.ts';
import type { Foundation, ServiceOverrides } from './foundation.ts';
import type { People } from './people.ts';

export type Content = ReturnType<typeof createContent>;

interface Surroundings {
  /** Resolves a credential to its user. */
  readonly authenticate: Authenticate;
  readonly metrics: Metrics;
}

/** Creates the services for repositories and threads, and for access to them. */
export function createContent(
  config: Config,
  { partsFromBytes, gitLimits, upstreamTimes }: ServiceOverrides,
  { clock, logger, database, gitStore, secretBox, addressSigner, xetSigner }: Infrastructure,
  { ids, events, audit, blobs, broadcast, leaderElection, nudges }: Foundation,
  { accounts, principalOf }: People,
  { authenticate, metrics }: Surroundings,
) {
  const isLeader = (work: string) => async () =>
    database.engine === 'sqlite' || (await leaderElection.acquire([work])).size === 0;
  const largeFiles = createLargeFiles({
    ...{ database, clock, logger, store: blobs, settings: config.largeFiles },
    ...{ findRequester: principalOf, anonymousRead: config.anonymousRead },
  });
  const downloads = createDownloadCounter({ database, clock, logger });
  const bucketGit = createBucketGitFor(config, { database, clock, logger, store: gitStore });
  const contents = createContentParts({
    onDownload: (download) => downloads.onDownload(download),
    ...{ database, clock, logger, events, store: gitStore, bucketGit, largeFiles },
    xet: {
      hashesOf: (...given) => xet.facts.hashesOf(...given),
      linksTo: (...given) => xet.facts.linksTo(...given),
    },
    pullRequests: {
      requireEnabled: requireDiscussions,
      requireCommit: (...given) => discussions.requireCommit(...given),
      push: (...given) => discussions.push(...given),
      open: (...given) => discussions.openForCommit(...given),
    },
    onRefsFailed: (err) => logger.warn({ err }, 'refs of a repository could not be written to the disk'),
    upkeep: { hold: isLeader('git'), nudge: nudges.git.everywhere, onRun: metrics.maintained },
  });
  const cards = createCards({
    ...{ database, clock, logger, files: contents.commitFiles, nudge: nudges.cards.everywhere },
  });
  const likes = createLikes({ database, clock, ids });
  const spaces = createSpaces({ database, clock, ids, events, audit, secretBox });
  const repositories = createRepositories({
    ...{ database, clock, ids, events, audit },
    contents: {
      ...contents,
      ...{ card: cards.of, downloads: downloads.of, isLiked: likes.isLiked },
      bucketTotals: (bucketIds) => totalsOf(database.read, bucketIds),
      ...{ newSpaces: spaces.setup, claimRoomFor: largeFiles.claimRoomFor },
      runtime: (spaceId, reader) => runtimeOf(database.read, reader, spaceId),
    },
  });
  const catalog = createCatalog({ database, clock, contents });
  const largeFileUpkeep = createUpkeep({
    ...{ database, clock, logger, store: blobs, ...config.largeFiles, isCommitted: contents.isCommitted },
    isLeader: isLeader('large-files'),
  });
  const lfs = createLfs({
    ...{ database, clock, ids, audit, signer: addressSigner, largeFiles, partsFromBytes, filesOfBucket },
    ...contents,
    isXetRead: config.largeFiles.xetRead,
  });
  const markdown = createMarkdown({
    onExceeded: (details) => logger.warn(details, 'a text exceeds the limits of Markdown; it is shown as plain text'),
  });
  const texts = createTexts({ markdown });
  const discussions = createDiscussions({
    ...{ database, clock, ids, events, texts, contents, largeFiles, settings: config },
  });
  const git = createGit({
    ...{ database, logger, store: gitStore, contents, largeFiles, discussions, limits: gitLimits },
    refPorts: { clock, events, onRefsChanged: contents.onRefsChanged },
  });
  const xet: Xet = createXet({
    ...{ database, clock, logger, signer: xetSigner, secretBox, largeFiles, authenticate },
    ...{ commitOf: contents.commitOf, onBytes: metrics.xetBytes },
    anonymousRead: config.anonymousRead,
    reading: { isOn: config.largeFiles.xetRead, isLeader: isLeader('xet') },
  });
  const buckets = createBuckets({
    ...{ database, clock, events, largeFiles, linksTo: xet.facts.linksTo, makeFile: xet.makeFile },
    join: broadcast.join,
  });
  const upstream = createUpstreamFor(config, {
    ...{ database, clock, ids, logger, largeFiles, counts: metrics.upstream, times: upstreamTimes },
  });
  const comments = createComments({ clock, ids, events, texts });
  const papers = createPapers({ database, clock, ids, comments });
  const claims = createClaims({ database, clock, ids, events });
  const collections = createCollections({ database, clock, ids, audit });
  const quickSearch = createQuickSearch({ database });
  const posts = createPosts({ database, clock, ids, comments });
  const avatars = createAvatars({ database, clock, accounts, audit, render: createRender() });
  const resourceGroups = createResourceGroups({ database, clock, ids, events, audit });
  const explainAccess = createAccessReport({ database });
  const profiles = createProfiles({ database });
  const followers = createFollowers({ database });
  const watching = createWatching({ database, clock });
  const settings = createSettings({ database, audit });
  const mcpSettings = createMcpSettings({ database });
  return {
    ...{
      repositories,
      insteadOf: createInsteadOf(createRedirects({ database }), upstream),
      upstream,
      contents,
      cards,
      likes,
      spaces,
      catalog,
      downloads,
      files: { ...contents.services, duplicate: contents.duplicateWith(repositories.createWith) },
      largeFiles,
      largeFileUpkeep,
      collectStorage: createCollection({ database, clock, graceDays: config.largeFiles.graceDays }),
      lfs,
      git,
      xet,
      buckets,
    },
    ...{ markdown, texts, discussions, papers, claims, collections, quickSearch, posts, avatars, profiles, watching },
    ...{ resourceGroups, explainAccess, followers, settings, mcpSettings, socials: createSocials({ database }) },
  };
}

type BucketGitParts = Omit<Parameters<typeof createBucketGit>[0], 's3' | 'cacheBytes'>;

const MEBIBYTE = 1024 * 1024;

/** Returns the parts that keep git objects in a bucket, if the settings say so. */
function createBucketGitFor({ git, largeFiles: { s3 } }: Config, parts: BucketGitParts) {
  if (git.store !== 'bucket' || !s3) return undefined;
  return createBucketGit({ ...parts, s3, cacheBytes: git.cacheMebibytes * MEBIBYTE });
}

type UpstreamParts = Omit<Parameters<typeof createUpstream>[0], 'settings' | 'dataDir' | 'outbound'>;

/** Returns what reads from the upstream, if the settings name one. */
function createUpstreamFor({ upstream, dataDir, outboundAllow, developmentMode }: Config, parts: UpstreamParts) {
  const { url } = upstream;
  if (url === undefined) return undefined;
  const outbound = { allow: outboundAllow, allowLoopback: developmentMode };
  return createUpstream({ ...parts, settings: { ...upstream, url }, dataDir, outbound });
}

/** Returns what takes the place of an error: where a repository has moved to, or else what the upstream has of it. */
const createInsteadOf =
  (redirectIfMoved: ReturnType<typeof createRedirects>, upstream: Upstream | undefined) =>
  async (error: unknown, request: FailedRequest): Promise<unknown> => {
    const fault = await redirectIfMoved(error, request);
    return upstream ? upstream.insteadOf(fault, request) : fault;
  };
