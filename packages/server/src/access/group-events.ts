/**
 * What happened to a resource group by which somebody may have lost access to repositories: the data of the topic
 * group. Who reacts asks who may read now, as the other roles of those concerned still count.
 *
 * - `add_repos`, `remove_repos`, `delete`: everybody who could read the repositories `repoIds`.
 * - `remove_users`: the users `userIds`, on all that is in the group.
 */
export interface GroupEvent {
  readonly action: 'add_repos' | 'remove_repos' | 'remove_users' | 'delete';
  readonly groupId: string;
  readonly orgId: string;
  readonly repoIds?: readonly string[];
  readonly userIds?: readonly string[];
  readonly actorId: string;
}
