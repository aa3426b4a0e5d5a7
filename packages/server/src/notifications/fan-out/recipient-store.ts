import { type Compilable, sql } from 'kysely';
import { mayReadIfEnabled } from '../../access/index.ts';
import type { VouchedAddresses } from '../../organizations/index.ts';
import { asText, jsonRows } from '../../platform/database/packed/json-rows.ts';
import { textsOf } from '../../platform/database/packed/json-values.ts';
import { type Placeholder, prepared } from '../../platform/database/prepared.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { type JsonText, parseJson } from '../../platform/stored-form.ts';
import { DECIDING_KEYS, type DecidingKey } from '../../settings/index.ts';
import { MENTIONED, TAKES_PART, WATCHES } from '../inbox/subject.ts';
import type { Activity } from './activity.ts';

/** A user whom an activity may concern. */
export interface Recipient {
  readonly userId: string;
  /** One of WATCHES, TAKES_PART, MENTIONED. */
  readonly involvement: number;
  /** Whether the paper, post or article is the user's own. */
  readonly isOwner: boolean;
  /** The user may read the thread, has not muted it, and is not the actor. */
  readonly mayBeNotified: boolean;
  readonly hasAddress: boolean;
  /** The notification settings that are on. */
  readonly settings: ReadonlySet<DecidingKey>;
}

interface Args {
  readonly threadId: string;
  readonly actorId: string;
  readonly repoId: string;
  readonly ownerId: string;
  readonly groupId: string | null;
  readonly private: number;
  /** A JSON array of ids: of the thread's owners, or with `candidatesAmong` of the users to choose from. */
  readonly userIds: string;
  readonly after: string;
  readonly limit: number;
}

type Argument = Placeholder<Args>;

/** The users who are concerned for one reason, cut to a page, so that no page reads all of them. */
const branch = (argument: Argument, columns: unknown, from: unknown) => sql`
  select * from (
    select ${columns} from ${from} and user_id > ${argument('after')} order by user_id limit ${argument('limit')}
  ) as branch`;

/** Everybody whom an activity in the thread may concern: participants, watchers and owners. */
const allCandidates = (executor: ReadExecutor, argument: Argument) => sql`
  ${branch(
    argument,
    sql`user_id, case when mentioned = 1 then ${sql.lit(MENTIONED)} else ${sql.lit(TAKES_PART)} end as involvement, 0 as owner`,
    sql`thread_participants where thread_id = ${argument('threadId')}`,
  )}
  union all ${branch(argument, sql`user_id, ${sql.lit(WATCHES)}, 0`, sql`watches where target_id = ${argument('repoId')}`)}
  union all ${branch(argument, sql`user_id, ${sql.lit(WATCHES)}, 0`, sql`watches where target_id = ${argument('ownerId')}`)}
  union all select value, ${sql.lit(TAKES_PART)}, 1 from ${textsOf(executor, argument('userIds'))} as owners
    where value > ${argument('after')}`;

/** The given users, as mentioned ones. */
const candidatesAmong = (executor: ReadExecutor, argument: Argument) => sql`
  select value as user_id, ${sql.lit(MENTIONED)} as involvement, 0 as owner
  from ${textsOf(executor, argument('userIds'))} as named where value > ${argument('after')}`;

type Row = [
  userId: string,
  involvement: number,
  isOwner: number,
  mayBeNotified: number,
  hasAddress: number,
  ...settings: number[],
];

const pageOf = (candidates: typeof allCandidates, { addressOf }: VouchedAddresses) =>
  prepared<Args>()((executor, argument): Compilable<{ rows: JsonText<Row[]> }> => {
    const facts = {
      private: sql<number>`cast(${argument('private')} as integer)`,
      ownerId: sql<string>`cast(${argument('ownerId')} as text)`,
      groupId: sql<string | null>`cast(${argument('groupId')} as text)`,
    };
    const mayBeNotified = sql`case when of_thread.user_id is null
      and (of_repo.user_id is null or c.involvement > ${sql.lit(WATCHES)})
      and c.user_id <> ${argument('actorId')} and a.disabled_at is null and ${mayReadIfEnabled(facts, sql.ref('c.user_id'))} then 1 else 0 end`;
    const vouched = addressOf(executor, { userId: sql.ref('c.user_id'), ownerId: facts.ownerId });
    const columns = [
      'c.user_id',
      'c.involvement',
      'c.owner',
      mayBeNotified,
      sql`case when a.email is not null or ${vouched} is not null then 1 else 0 end`,
      ...DECIDING_KEYS.map((key) => sql`coalesce(s.${sql.ref(key)}, 1)`),
    ];
    const query = sql<{ rows: JsonText<Row[]> }>`
      select ${asText(executor, jsonRows<Row>(executor, columns))} as rows from (
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

export type RecipientsOf = ReturnType<typeof createRecipientsOf>;

/** Makes the function that finds whom an activity concerns. */
export function createRecipientsOf(vouched: VouchedAddresses) {
  const pageOfAll = pageOf(allCandidates, vouched);
  const pageAmong = pageOf(candidatesAmong, vouched);

  /**
   * Returns a page of the users whom an activity may concern, by id, each with the strongest involvement: participants of the
   * thread, watchers of its repository and of the owner, and authors of the paper, post or article. With `among` only these
   * users are returned.
   */
  return async function recipientsOf(
    tx: Executor,
    { thread, actorId }: Activity,
    { among, after, limit }: { among: readonly string[] | undefined; after: string; limit: number },
  ): Promise<Recipient[]> {
    const [page] = await (among ? pageAmong : pageOfAll)(tx, {
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
    return parseJson<Row[]>(page?.rows ?? '[]')
      .map(([userId, involvement, isOwner, mayBeNotified, hasAddress, ...settings]) => ({
        userId,
        involvement,
        isOwner: isOwner === 1,
        mayBeNotified: mayBeNotified === 1,
        hasAddress: hasAddress === 1,
        settings: new Set(DECIDING_KEYS.filter((_, at) => settings[at] === 1)),
      }))
      .sort((a, b) => (a.userId < b.userId ? -1 : 1));
  };
}
