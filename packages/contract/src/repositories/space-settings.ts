import * as z from 'zod';
import { Volume } from '../jobs/specification.ts';
import { Empty, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { SpaceParams } from './space-runtime.ts';

/** The most variables that a Space may have, and the most secrets. */
export const MAX_SPACE_ENTRIES = 100;
/** The most volumes that a Space may have. */
export const MAX_SPACE_VOLUMES = 32;
const MAX_VALUE_BYTES = 16 * 1024;

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

const Key = z
  .string()
  .max(256)
  .regex(/^[a-zA-Z][_a-zA-Z0-9]*$/, 'must begin with a letter; letters, digits and _ may follow')
  .meta({ description: 'Name of the environment variable.' });
const Value = z.string().refine((value) => bytesOf(value) <= MAX_VALUE_BYTES, 'must have at most 16 KiB');
const Description = z.string().max(500).optional().meta({ description: 'Absent: the description stays as it is.' });

export const SpaceEntry = z.object({ key: Key, value: Value.default(''), description: Description });
const GivenKey = z.object({ key: z.string().max(256) });

/** A variable of a Space in responses, by its key. */
export const SpaceVariable = z
  .object({
    key: z.string(),
    value: z.string(),
    description: z.string().optional(),
    updatedAt: Timestamp.meta({ description: 'When the value was last set.' }),
  })
  .meta({ id: 'SpaceVariable' });
export type SpaceVariable = z.infer<typeof SpaceVariable>;

/** A secret of a Space in responses, by its key. Its value never leaves the hub. */
export const SpaceSecret = SpaceVariable.omit({ value: true }).meta({ id: 'SpaceSecret' });
export type SpaceSecret = z.infer<typeof SpaceSecret>;

const Variables = z.record(z.string(), SpaceVariable);
const Secrets = z.record(z.string(), SpaceSecret);

const Entries = z.array(SpaceEntry).max(MAX_SPACE_ENTRIES).optional();
export const SpaceVolumes = z.array(Volume).max(MAX_SPACE_VOLUMES);

/** What a new Space may begin with, where a repository is created or duplicated. */
export const NEW_SPACE = {
  secrets: Entries.meta({ description: 'Spaces only. Secrets that the Space begins with; stored encrypted.' }),
  variables: Entries.meta({ description: 'Spaces only. Variables that the Space begins with.' }),
  volumes: SpaceVolumes.optional().meta({ description: 'Spaces only. Volumes that the Space begins with.' }),
  hardware: z.string().max(100).optional().meta({ description: '501: this hub does not run Spaces.' }),
  storageTier: z.string().max(100).optional().meta({ description: 'As `hardware`.' }),
  sleepTimeSeconds: z.int().optional().meta({ description: 'As `hardware`.' }),
};

const tags = ['spaces'];
const variables = '/api/spaces/{namespace}/{repo}/variables';
const secrets = '/api/spaces/{namespace}/{repo}/secrets';
const volumes = '/api/spaces/{namespace}/{repo}/volumes';
const TAKEN = { 409: 'The key is taken by a secret or a variable, or the Space has as many as it may have.' } as const;

export const listSpaceVariables = defineRoute({
  id: 'listSpaceVariables',
  method: 'GET',
  path: variables,
  summary: 'List the variables of a Space',
  description: 'With their values: whoever may read a Space may read its variables.',
  tags,
  authority: 'repo.content.read',
  params: SpaceParams,
  answers: { 200: Variables },
});

export const setSpaceVariable = defineRoute({
  id: 'setSpaceVariable',
  method: 'POST',
  path: variables,
  summary: 'Set a variable of a Space',
  tags,
  authority: 'repo.write',
  params: SpaceParams,
  body: SpaceEntry,
  answers: { 200: Variables },
  otherAnswers: TAKEN,
});

export const deleteSpaceVariable = defineRoute({
  id: 'deleteSpaceVariable',
  method: 'DELETE',
  path: variables,
  summary: 'Delete a variable of a Space',
  description: 'Without such a variable nothing changes.',
  tags,
  authority: 'repo.write',
  params: SpaceParams,
  body: GivenKey,
  answers: { 200: Variables },
});

export const listSpaceSecrets = defineRoute({
  id: 'listSpaceSecrets',
  method: 'GET',
  path: secrets,
  summary: 'List the secrets of a Space, without their values',
  tags,
  authority: 'repo.write',
  params: SpaceParams,
  answers: { 200: Secrets },
});

export const setSpaceSecret = defineRoute({
  id: 'setSpaceSecret',
  method: 'POST',
  path: secrets,
  summary: 'Set a secret of a Space',
  description: 'The value is stored encrypted, and no operation returns it.',
  tags,
  authority: 'repo.write',
  params: SpaceParams,
  body: SpaceEntry,
  answers: { 200: Secrets },
  otherAnswers: TAKEN,
});

export const deleteSpaceSecret = defineRoute({
  id: 'deleteSpaceSecret',
  method: 'DELETE',
  path: secrets,
  summary: 'Delete a secret of a Space',
  description: 'Without such a secret nothing changes.',
  tags,
  authority: 'repo.write',
  params: SpaceParams,
  body: GivenKey,
  answers: { 200: Secrets },
});

export const setSpaceVolumes = defineRoute({
  id: 'setSpaceVolumes',
  method: 'PUT',
  path: volumes,
  summary: 'Replace the volumes of a Space',
  description:
    'The caller must be able to read each bucket or repository, and to write to a bucket that is not mounted `readOnly`. ' +
    'The hub keeps the list and mounts nothing. Not for Spaces with the SDK `static`.',
  tags,
  authority: 'repo.write',
  params: SpaceParams,
  body: z.object({ volumes: SpaceVolumes.min(1) }),
  answers: { 200: Empty },
});

export const deleteSpaceVolumes = defineRoute({
  id: 'deleteSpaceVolumes',
  method: 'DELETE',
  path: volumes,
  summary: 'Remove all volumes of a Space',
  description: '400 if the Space has none.',
  tags,
  authority: 'repo.write',
  params: SpaceParams,
  answers: { 200: Empty },
});

export const spaceSettingsRoutes = [
  listSpaceVariables,
  setSpaceVariable,
  deleteSpaceVariable,
  listSpaceSecrets,
  setSpaceSecret,
  deleteSpaceSecret,
  setSpaceVolumes,
  deleteSpaceVolumes,
] as const;
