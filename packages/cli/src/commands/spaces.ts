import {
  deleteSpaceSecret,
  deleteSpaceVariable,
  deleteSpaceVolumes,
  getSpaceRuntime,
  listSpaceSecrets,
  listSpaceVariables,
  setSpaceSecret,
  setSpaceVariable,
  setSpaceVolumes,
} from '@moonbase/client/spaces';
import { command, group, listing } from '../program/command.ts';
import { UsageError } from '../program/failure.ts';
import { argument, restArguments, text } from '../program/parameter.ts';
import { readSecret } from '../terminal/asking.ts';
import { repo, when } from './parameters.ts';

const space = { repo };
const key = argument('name of the environment variable');
const description = text('text', 'what the value is for (default: it stays as it is)');

const show = command({
  name: 'show',
  summary: 'show the state of a Space and its volumes',
  args: space,
  run: ({ hub, args }) => getSpaceRuntime({ ...hub, ...args }),
  columns: {
    stage: ({ stage, errorMessage }) => `${stage}: ${errorMessage}`,
    volumes: ({ volumes }) =>
      volumes
        .map(
          ({ type, source, path, mountPath }) =>
            `${type} ${source}${path === undefined ? '' : `/${path}`} at ${mountPath}`,
        )
        .join('; '),
  },
});

const variables = group('variables', 'variables of Spaces, which their readers may read', [
  listing({
    name: 'list',
    summary: 'list the variables of a Space',
    args: space,
    run: async ({ hub, args }) => Object.values(await listSpaceVariables({ ...hub, ...args })),
    columns: {
      name: (entry) => entry.key,
      value: ({ value }) => value,
      description: (entry) => entry.description,
      updated: ({ updatedAt }) => when(updatedAt),
    },
  }),
  command({
    name: 'set',
    summary: 'set a variable of a Space',
    args: { ...space, key, value: argument('the value') },
    options: { description },
    run: ({ hub, args, options }) => setSpaceVariable({ ...hub, ...args, ...options }),
    say: (_, { args }) => `Set the variable ${args.key} of ${args.repo}.\n`,
  }),
  command({
    name: 'delete',
    summary: 'delete a variable of a Space',
    args: { ...space, key },
    run: ({ hub, args }) => deleteSpaceVariable({ ...hub, ...args }),
    say: (_, { args }) => `${args.repo} has no variable ${args.key}.\n`,
  }),
]);

const secrets = group('secrets', 'secrets of Spaces, whose values nobody can read', [
  listing({
    name: 'list',
    summary: 'list the secrets of a Space, without their values',
    args: space,
    run: async ({ hub, args }) => Object.values(await listSpaceSecrets({ ...hub, ...args })),
    columns: {
      name: (entry) => entry.key,
      description: (entry) => entry.description,
      updated: ({ updatedAt }) => when(updatedAt),
    },
  }),
  command({
    name: 'set',
    summary: 'set a secret of a Space; prompts for the value, or reads it from standard input',
    args: { ...space, key },
    options: { description },
    async run({ hub, args, options, terminal }) {
      return setSpaceSecret({ ...hub, ...args, ...options, value: await readSecret('Secret: ', terminal) });
    },
    say: (_, { args }) => `Set the secret ${args.key} of ${args.repo}.\n`,
  }),
  command({
    name: 'delete',
    summary: 'delete a secret of a Space',
    args: { ...space, key },
    run: ({ hub, args }) => deleteSpaceSecret({ ...hub, ...args }),
    say: (_, { args }) => `${args.repo} has no secret ${args.key}.\n`,
  }),
]);

const TYPES = { models: 'model', datasets: 'dataset', spaces: 'space', buckets: 'bucket' } as const;
const isType = (word: string): word is keyof typeof TYPES => Object.hasOwn(TYPES, word);

/** Parses a volume such as `datasets/acme/letters/train:/data:ro`; a name without a type is that of a model. */
function volumeIn(given: string) {
  const match = /^(?:hf:\/\/)?(?<from>[^:]+):(?<mountPath>\/[^:]*)(?<mode>:r[ow])?$/.exec(given);
  const { from = '', mountPath = '', mode } = match?.groups ?? {};
  const [first = '', ...rest] = from.split('/');
  const [type, parts] = isType(first) ? [TYPES[first], rest] : (['model', [first, ...rest]] as const);
  const [namespace, name, ...path] = parts;
  if (!namespace || !name) throw new UsageError(`A volume is like datasets/acme/letters:/data, not ${given}.`);
  return {
    ...{ type, source: `${namespace}/${name}`, mountPath },
    ...(path.length > 0 && { path: path.join('/') }),
    ...(mode !== undefined && { readOnly: mode === ':ro' }),
  };
}

const volumes = group('volumes', 'buckets and repositories that Spaces are to have as folders', [
  command({
    name: 'set',
    summary: 'replace the volumes of a Space',
    args: { ...space, volumes: restArguments('such as datasets/acme/letters:/data, buckets/acme/cache:/cache:ro') },
    run: ({ hub, args }) => setSpaceVolumes({ ...hub, repo: args.repo, volumes: (args.volumes ?? []).map(volumeIn) }),
    say: (_, { args }) => `Set the volumes of ${args.repo}.\n`,
  }),
  command({
    name: 'delete',
    summary: 'remove all volumes of a Space',
    args: space,
    run: ({ hub, args }) => deleteSpaceVolumes({ ...hub, ...args }),
    say: (_, { args }) => `${args.repo} has no volumes.\n`,
  }),
]);

export const spaces = group('spaces', 'variables, secrets and volumes of Spaces', [show, variables, secrets, volumes]);
