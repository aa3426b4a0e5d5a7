import * as z from 'zod';
import { defineRoute } from '../route.ts';
import { OfOwner, TOKEN_REFUSED, tags, XetHash } from './xet.ts';

const Chunks = z
  .object({ start: z.int(), end: z.int() })
  .meta({ description: 'Numbers of chunks in the xorb; `end` is the one after the last.' });
const XorbBytes = z
  .object({ start: z.int(), end: z.int() })
  .meta({ description: 'The first and the last byte in the xorb.' });

const refusals = { 401: TOKEN_REFUSED, 403: 'The user of the token may no longer read the repository.' } as const;
const TOKEN =
  'Needs a token of `getXetReadToken` or `getBucketXetReadToken` as `Authorization: Bearer`; one to write is as good.';

const reconstruction = {
  method: 'GET',
  tags,
  authority: 'public',
  params: OfOwner.extend({ hash: XetHash }),
  otherAnswers: {
    ...refusals,
    416: 'The range lies beyond the end of the file.',
  },
} as const;

const RECONSTRUCTION =
  'For the file with the hash of `X-Xet-Hash`, or the range of it that the header `Range` asks for: the chunks of xorbs that ' +
  `it consists of (\`terms\`), and where they are. ${TOKEN}`;

const Terms = z.array(z.object({ hash: XetHash, unpacked_length: z.int(), range: Chunks }));
const FetchInfo = z.record(XetHash, z.array(z.object({ range: Chunks, url: z.url(), url_range: XorbBytes })));
const described = {
  offset_into_first_range: z.int().meta({ description: 'Where the wanted bytes begin in the first term.' }),
  terms: Terms,
};

export const getXetReconstruction = defineRoute({
  ...reconstruction,
  id: 'getXetReconstruction',
  path: '/cas/{owner}/v1/reconstructions/{hash}',
  summary: 'Get the chunks of a large file',
  description: RECONSTRUCTION,
  answers: {
    200: z.object({ ...described, fetch_info: FetchInfo }),
  },
});

export const getXetReconstructionV2 = defineRoute({
  ...reconstruction,
  id: 'getXetReconstructionV2',
  path: '/cas/{owner}/v2/reconstructions/{hash}',
  summary: 'Get the chunks of a large file, by xorb',
  description: RECONSTRUCTION,
  answers: {
    200: z.object({
      ...described,
      xorbs: z.record(
        XetHash,
        z.array(z.object({ url: z.url(), ranges: z.array(z.object({ chunks: Chunks, bytes: XorbBytes })) })),
      ),
    }),
  },
});

const MAX_FILES = 200;

export const getXetReconstructions = defineRoute({
  id: 'getXetReconstructions',
  method: 'GET',
  path: '/cas/{owner}/v1/reconstructions',
  summary: 'Get the chunks of several large files',
  description: `Like \`getXetReconstruction\` for whole files; 404 if the repository lacks one of them. ${TOKEN}`,
  tags,
  authority: 'public',
  params: OfOwner,
  query: z.object({
    file_id: z
      .union([XetHash, z.array(XetHash)])
      .transform((given) => [...new Set([given].flat())])
      .refine((given) => given.length <= MAX_FILES, `must be at most ${MAX_FILES} hashes`)
      .meta({ description: `The hashes of the files. May be repeated, up to ${MAX_FILES} times.` }),
  }),
  answers: {
    200: z.object({
      files: z.record(XetHash, Terms).meta({ description: 'The chunks of xorbs that each file consists of.' }),
      fetch_info: FetchInfo,
    }),
  },
  otherAnswers: refusals,
});

const PartialTree = z
  .object({
    nodes: z.array(z.object({ hash: XetHash, size: z.int() })),
    levels: z.array(z.tuple([z.int(), z.int()])),
    at_start: z.boolean(),
    at_end: z.boolean(),
  })
  .meta({ description: 'The hashes of successive chunks, aggregated as far as is certain without those around them.' });

export const getXetFileChanges = defineRoute({
  ...reconstruction,
  id: 'getXetFileChanges',
  path: '/cas/{owner}/v2/file-chunk-hashes/{hash}',
  summary: 'Get what a client needs to change parts of a large file',
  description:
    'The header `X-Range-Dirty: bytes=…` has the ranges that will change, in ascending order. The response says which bytes ' +
    'around them the client has to cut into chunks again (`windows`), and has the aggregated hashes of the chunks before, between and after ' +
    'these, from which it computes the hash of the changed file. `gapVerification` has the proof of each term of the reconstruction ' +
    `that no window touches. ${TOKEN}`,
  answers: {
    200: z.object({
      totalChunks: z.int(),
      fileSize: z.int(),
      windows: z.array(
        z.object({
          dirtyByteRange: z
            .tuple([z.int(), z.int()])
            .meta({ description: 'The first byte, and the one after the last.' }),
        }),
      ),
      hashRanges: z
        .array(PartialTree.nullable())
        .meta({ description: 'One more than windows; null where there are no chunks.' }),
      gapVerification: z.array(XetHash),
    }),
  },
});

export const getXetRange = defineRoute({
  id: 'getXetRange',
  method: 'GET',
  path: '/api/xet-ranges/{address}',
  summary: 'Download chunks',
  description: 'At a signed URL of a reconstruction, which works for 15 minutes. Needs no credentials.',
  tags,
  authority: 'public',
  params: z.object({ address: z.string() }),
  answers: {},
  otherAnswers: {
    206: 'The chunks, or what the header `Range` asks for of them: one range, or several as `multipart/byteranges`.',
    403: 'The URL is not valid, or has expired; ask for the reconstruction again.',
    416: 'The URL is for other bytes.',
  },
});

export const xetReadingRoutes = [
  getXetReconstruction,
  getXetReconstructionV2,
  getXetReconstructions,
  getXetFileChanges,
  getXetRange,
] as const;
