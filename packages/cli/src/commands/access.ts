import {
  type AccessRequest,
  askAccessOfType,
  cancelAccessRequest,
  grantAccess,
  handleAccessRequest,
  listAccessRequests,
} from '@moonbase/client/gating';
import { command, group, listing } from '../program/command.ts';
import { UsageError } from '../program/failure.ts';
import { argument, choice, text, texts } from '../program/parameter.ts';
import { discussedType, repo, when } from './parameters.ts';

const user = argument('name of the user');

/** Returns the answers to a form from texts such as `Company=Acme`. */
const answersIn = (fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    fields.map((field) => {
      const at = field.indexOf('=');
      if (at < 1) throw new UsageError(`"${field}" must be an answer as in Company=Acme.`);
      return [field.slice(0, at), field.slice(at + 1)];
    }),
  );

const ask = command({
  name: 'ask',
  summary: 'ask for access to the files of a gated repository',
  args: { repo },
  options: { type: discussedType, field: texts('name=answer', "an answer to the form of the repository's card") },
  async run({ hub, args, options: { type = 'model', field = [] } }) {
    await askAccessOfType({ ...hub, ...args, type, fields: answersIn(field) });
    return {};
  },
  say: (_, { args }) => `Asked for access to ${args.repo}.\n`,
});

const withdraw = command({
  name: 'withdraw',
  summary: 'withdraw your request for access, or give your access up',
  args: { repo },
  options: { type: discussedType },
  run: ({ hub, args, options: { type = 'model' } }) => cancelAccessRequest({ ...hub, ...args, type }),
  say: (_, { args }) => `You have no request for access to ${args.repo} any more.\n`,
});

const list = listing({
  name: 'list',
  summary: 'list the requests for access to a gated repository',
  args: { repo },
  options: {
    type: discussedType,
    status: choice(['pending', 'accepted', 'rejected'], 'which requests (default: pending)'),
  },
  async run({ hub, args, options: { type = 'model', status = 'pending' } }) {
    const requests: AccessRequest[] = [];
    for (;;) {
      const after = requests.at(-1)?.requestId;
      const page = await listAccessRequests({ ...hub, ...args, type, status, after, limit: PAGE });
      requests.push(...page);
      if (page.length < PAGE) return requests;
    }
  },
  columns: {
    user: (request) => request.user.user,
    email: (request) => request.user.email,
    status: (request) => request.status,
    asked: ({ timestamp }) => when(timestamp),
    answers: ({ fields = {} }) =>
      Object.entries(fields)
        .map(([name, answer]) => `${name}: ${answer}`)
        .join('; '),
  },
});

const PAGE = 1000;

const accept = command({
  name: 'accept',
  summary: 'accept the request of a user',
  args: { repo, user },
  options: { type: discussedType },
  run: ({ hub, args, options: { type = 'model' } }) =>
    handleAccessRequest({ ...hub, ...args, type, status: 'accepted' }),
  say: (_, { args }) => `${args.user} has access to ${args.repo}.\n`,
});

const reject = command({
  name: 'reject',
  summary: 'reject the request of a user, or take the access of a user away',
  args: { repo, user },
  options: { type: discussedType, reason: text('text', 'what the user reads, at most 200 characters') },
  run: ({ hub, args, options: { type = 'model', reason: rejectionReason } }) =>
    handleAccessRequest({ ...hub, ...args, type, status: 'rejected', rejectionReason }),
  say: (_, { args }) => `${args.user} has no access to ${args.repo}.\n`,
});

const grant = command({
  name: 'grant',
  summary: 'grant a user access who need not have asked',
  args: { repo, user },
  options: { type: discussedType },
  run: ({ hub, args, options: { type = 'model' } }) => grantAccess({ ...hub, ...args, type }),
  say: (_, { args }) => `${args.user} has access to ${args.repo}.\n`,
});

export const access = group('access', 'access to the files of gated repositories', [
  ask,
  withdraw,
  list,
  accept,
  reject,
  grant,
]);
