import type { Executor } from '../../platform/database/transaction.ts';

/** Returns the paper that a claim is about, undefined where the paper was deleted. */
export const findClaimedPaper = (executor: Executor, paperId: string) =>
  executor.selectFrom('papers').select(['arxiv_id as arxivId', 'title']).where('id', '=', paperId).executeTakeFirst();

/** Returns a link that goes by mail, with the name and the address of its user; undefined where it is over. */
export const findMailedLink = (executor: Executor, linkHash: string, now: number) =>
  executor
    .selectFrom('one_time_links')
    .innerJoin('accounts', 'accounts.id', 'one_time_links.user_id')
    .select(['one_time_links.nonce', 'one_time_links.email as confirms', 'one_time_links.expires_at as expiresAt'])
    .select(['accounts.name as user', 'accounts.email'])
    .where('one_time_links.hash', '=', linkHash)
    .where('one_time_links.used_at', 'is', null)
    .where('one_time_links.expires_at', '>', now)
    .where('accounts.disabled_at', 'is', null)
    .executeTakeFirst();

/** Returns a link that creates an account, with the address that it goes to; undefined where it is over. */
export const findSignUpLink = (executor: Executor, linkHash: string, now: number) =>
  executor
    .selectFrom('one_time_links')
    .select(['nonce', 'email', 'expires_at as expiresAt'])
    .where('hash', '=', linkHash)
    .where('user_id', 'is', null)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Returns the name of a user who is enabled. */
export async function findUserName(executor: Executor, userId: string): Promise<string | undefined> {
  const user = await executor
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return user?.name;
}

/** Returns an invitation with the names of its organization and its sender, undefined where it was withdrawn or expired. */
export const findInvitation = (executor: Executor, invitationId: string, now: number) =>
  executor
    .selectFrom('invitations')
    .innerJoin('accounts as org', 'org.id', 'invitations.org_id')
    .innerJoin('accounts as inviter', 'inviter.id', 'invitations.invited_by')
    .select(['invitations.id', 'invitations.email', 'invitations.nonce', 'invitations.expires_at as expiresAt'])
    .select(['org.name as organization', 'inviter.name as by'])
    .where('invitations.id', '=', invitationId)
    .where('invitations.expires_at', '>', now)
    .executeTakeFirst();
