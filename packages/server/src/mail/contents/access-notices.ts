import * as z from 'zod';
import type { Executor } from '../../platform/database/transaction.ts';
import { ACCESS_ADDRESS, oneLine, subjectLine } from '../policy.ts';
import type { MailRow } from '../tables.ts';
import { countPending, findAccessRequest, findGate, pendingSince } from './access-store.ts';
import type { Notice } from './notice.ts';
import { findUserName } from './notice-store.ts';

/** The cause of a mail about access to a gated repository: a request, those of a day, or a decision. */
export const AccessCause = z.discriminatedUnion('action', [
  z.object({ action: z.literal('request'), requestId: z.string(), repoId: z.string() }),
  z.object({ action: z.literal('decide'), requestId: z.string(), repoId: z.string() }),
  z.object({ action: z.literal('day'), repoId: z.string(), since: z.number() }),
]);
export type AccessCause = z.infer<typeof AccessCause>;

/** The names that the mail of a day lists at most. */
const MAX_NAMED = 20;

/**
 * Returns the notice of a mail about access, as things are now: undefined where the request was decided or withdrawn, the
 * repository is no longer gated, or its reader has no part in it any more. It holds names only, as somebody can choose the
 * address, except for the reason of a rejection.
 */
export async function accessNotice(
  executor: Executor,
  mail: Pick<MailRow, 'user_id' | 'kind'>,
  cause: AccessCause,
  hubUrl: string,
): Promise<Notice | undefined> {
  const { user_id: readerId } = mail;
  const gate = readerId === null ? undefined : await findGate(executor, cause.repoId, readerId);
  if (!gate || readerId === null) return undefined;
  const page = `${hubUrl}/${gate.path}`;
  if (cause.action === 'decide') return decisionNotice(executor, cause.requestId, readerId, { ...gate, page });
  if (!gate.isHandler) return undefined;
  if (mail.kind === ACCESS_ADDRESS && gate.email === null) return undefined;
  const to = mail.kind === ACCESS_ADDRESS && gate.email !== null ? { to: gate.email } : {};
  if (cause.action === 'request') {
    const request = await findAccessRequest(executor, cause.requestId);
    const by = request?.status === 'pending' ? await findUserName(executor, request.userId) : undefined;
    if (by === undefined) return undefined;
    return {
      ...to,
      subject: subjectLine('', by, ` asks for access to ${gate.name}`),
      body: `${by} asks for access to the files of the gated repository ${gate.name}.\n\n${page}`,
    };
  }
  const names = await pendingSince(executor, cause, MAX_NAMED + 1);
  if (names.length === 0) return undefined;
  const listed = names.slice(0, MAX_NAMED).map((name) => `- ${name}`);
  const more = names.length > MAX_NAMED ? ['- and others'] : [];
  return {
    ...to,
    subject: `Requests for access to ${gate.name}`,
    body: [
      `These users have asked for access to the files of the gated repository ${gate.name}:`,
      [...listed, ...more].join('\n'),
      `Requests that wait for a decision: ${await countPending(executor, cause.repoId)}`,
      page,
    ].join('\n\n'),
  };
}

async function decisionNotice(
  executor: Executor,
  requestId: string,
  readerId: string,
  { name, page, reads }: { readonly name: string; readonly page: string; readonly reads: boolean },
): Promise<Notice | undefined> {
  const request = await findAccessRequest(executor, requestId);
  if (request?.userId !== readerId || request.status === 'pending' || !reads) return undefined;
  const accepted = request.status === 'accepted';
  const { reason } = request;
  return {
    subject: `Your request for access to ${name} was ${request.status}`,
    body: [
      accepted
        ? `You have access to the files of the repository ${name} now.`
        : `The authors of the repository ${name} rejected your request for access to its files.`,
      // Its author chose the words: indented as code, they have no Markdown meaning.
      ...(accepted || reason === null ? [] : [`    ${oneLine(reason)}`]),
      page,
    ].join('\n\n'),
  };
}
