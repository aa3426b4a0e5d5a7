import { type Compilable, sql } from 'kysely';
import { entitled } from '../../access/index.ts';
import { vouchedAddress } from '../../organizations/index.ts';
import { asText, jsonRows } from '../../platform/database/json-rows.ts';
import { type Placeholder, prepared } from '../../platform/database/prepared.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { DECIDING_KEYS, type DecidingKey } from '../../settings/index.ts';
import { textsOf } from '../inbox/json-values.ts';
import { MENTIONED, TAKES_PART, WATCHES } from '../inbox/subject.ts';
import type { Activity } from './activity.ts';

/** Somebody whom an activity may concern. */
export interface Recipient {
  readonly userId: string;
  /** One of WATCHES, TAKES_PART, MENTIONED. */
  readonly involvement: number;
  /** Whether the paper, post or article is the user's own. */
  readonly isOwner: boolean;
  /** May read it, has not muted it, and did not do it. */
  readonly mayBeTold: boolean;
  readonly hasAddress: boolean;
  /** The settings that decide, as they are stored. */
  readonly settings: Settings;
}

export type Settings = Readonly<Record<DecidingKey, boolean>>;

interface Args {
  readonly threadId: string;
  readonly actorId: string;
  readonly repoId: string;
  readonly ownerId: string;
  readonly groupId: string | null;
  readonly private: number;
  /** Ids as JSON: of those whose paper, post or article it is; in the second query of those asked for. */
  readonly userIds: string;
  readonly after: string;
  readonly limit: number;
}

type Argument = Placeholder<Args>;

/** Those of one reason, each branch cut to a page, so that no page reads them all. */
const branch = (argument: Argument, columns: unknown, from: unknown) => sql`
  select * from (
    select ${columns} from ${from} and user_id > ${argument('after')} order by user_id limit ${argument('limit')}
  ) as branch`;

const everybody = (executor: ReadExecutor, argument: Argument) => sql`
  ${branch(
    argument,
    sql`user_id, case when mentioned = 1 then ${sql.lit(MENTIONED)} else ${sql.lit(TAKES_PART)} end as involvement, 0 as owner`,
    sql`thread_participants where thread_id = ${argument('threadId')}`,
  )}
  union all ${branch(argument, sql`user_id, ${sql.lit(WATCHES)}, 0`, sql`watches where target_id = ${argument('repoId')}`)}
  union all ${branch(argument, sql`user_id, ${sql.lit(WATCHES)}, 0`, sql`watches where target_id = ${argument('ownerId')}`)}
  union all select value, ${sql.lit(TAKES_PART)}, 1 from ${textsOf(executor, argument('userIds'))} as owners
    where value > ${argument('after')}`;

const named = (executor: ReadExecutor, argument: Argument) => sql`
  select value as user_id, ${sql.lit(MENTIONED)} as involvement, 0 as owner
  from ${textsOf(executor, argument('userIds'))} as named where value > ${argument('after')}`;

const pageOf = (candidates: typeof everybody) =>
  prepared<Args>()((executor, argument): Compilable<{ rows: string }> => {
    const facts = {
      private: sql<number>`cast(${argument('private')} as integer)`,
      ownerId: sql<string>`cast(${argument('ownerId')} as text)`,
      groupId: sql<string | null>`cast(${argument('groupId')} as text)`,
    };
    const mayBeTold = sql`case when of_thread.user_id is null
      and (of_repo.user_id is null or c.involvement > ${sql.lit(WATCHES)})
      and c.user_id <> ${argument('actorId')} and a.disabled_at is null and ${entitled(facts, sql.ref('c.user_id'))} then 1 else 0 end`;
    const vouched = vouchedAddress(executor, { userId: sql.ref('c.user_id'), ownerId: facts.ownerId });
    const columns = [
      'c.user_id',
      'c.involvement',
      'c.owner',
      mayBeTold,
      sql`case when a.email is not null or ${vouched} is not null then 1 else 0 end`,
      ...DECIDING_KEYS.map((key) => sql`coalesce(s.${sql.ref(key)}, 1)`),
    ];
    const query = sql<{ rows: string }>`
      select ${asText(executor, jsonRows(executor, columns))} as rows from (
        select user_id, max(involvement) as involvement, max(owner) as owner
        from (${candidates(executor, argument)}) as each_reason
        group by user_id order by user_id limit ${argument('limit')}
      ) as c
      join accounts a on a.id = c.user_id
      left join notification_settings s on s.user_id = c.user_id
      left join mutes of_thread on of_thread.user_id = c.user_id and of_thread.target_id = ${argument('threadId')}
      left join mutes of_repo on of_repo.user_id = c.user_id and of_repo.target_id = ${argument('repoId')}`;
    return { compile: () => query.compile(executor) };
  });

const everybodyPage = pageOf(everybody);
const namedPage = pageOf(named);

type Row = [id: string, involvement: number, owner: number, mayBeTold: number, hasAddress: number, ...flags: number[]];

/**
 * A page of those whom an activity may concern, by id, each with the best reason: participants, watchers of the
 * repository and of its owner, and whose paper, post or article it is; or only those `among` the given ones.
 */
export async function recipientsOf(
  tx: Executor,
  { thread, actorId }: Activity,
  { among, after, limit }: { among: readonly string[] | undefined; after: string; limit: number },
): Promise<Recipient[]> {
  const [answer] = await (among ? namedPage : everybodyPage)(tx, {
    threadId: thread.id,
    actorId,
    repoId: thread.repo?.id ?? '',
    ownerId: thread.repo?.ownerId ?? '',
    groupId: thread.repo?.groupId ?? null,
    private: thread.repo?.private ? 1 : 0,
    userIds: JSON.stringify(among ?? thread.ownerIds),
    after,
    limit,
  });
  return (JSON.parse(answer?.rows ?? '[]') as Row[])
    .map(([userId, involvement, owner, mayBeTold, hasAddress, ...flags]) => ({
      userId,
      involvement,
      isOwner: owner === 1,
      mayBeTold: mayBeTold === 1,
      hasAddress: hasAddress === 1,
      settings: Object.fromEntries(DECIDING_KEYS.map((key, at) => [key, flags[at] === 1])) as Settings,
    }))
    .sort((a, b) => (a.userId < b.userId ? -1 : 1));
}
