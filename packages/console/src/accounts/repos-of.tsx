import { Group, Paper, Stack, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { KINDS, type Kind, type ListedRepo } from '../explore/kinds.ts';
import { RepoRow } from '../explore/repo-row.tsx';
import { useHub } from '../session/session.tsx';
import { To } from '../ui/link.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';

/** The repositories of each kind that the page of an account shows. */
const SHOWN = 5;
const NAMES = ['models', 'datasets', 'spaces', 'kernels'] as const satisfies readonly Kind[];

/** The most used repositories of an account, by kind. */
export function ReposOf({ name }: { readonly name: string }) {
  const hub = useHub();
  const found = useQueries({
    queries: NAMES.map((kind) => ({
      queryKey: ['explore', kind, 'of', name],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const repos: ListedRepo[] = [];
        for await (const repo of KINDS[kind].list({ ...hub, author: name, pageSize: SHOWN + 1, signal })) {
          repos.push(repo);
          if (repos.length > SHOWN) break;
        }
        return repos;
      },
    })),
  });
  const failed = found.find(({ error }) => error !== null);
  if (failed) return <Failure error={failed.error} retry={failed.refetch} />;
  if (found.some(({ isPending }) => isPending)) return <Loading />;
  if (found.every(({ data = [] }) => data.length === 0))
    return <Empty title="No repositories">There are none that you may see.</Empty>;
  return (
    <Stack>
      {NAMES.map((kind, at) => {
        const { data: repos = [] } = found[at] ?? {};
        const { title, type } = KINDS[kind];
        if (repos.length === 0) return null;
        return (
          <section key={kind} aria-label={title}>
            <Group justify="space-between" mb="xs">
              <Title order={2}>{title}</Title>
              {repos.length > SHOWN && (
                <To href={`/${kind}?author=${encodeURIComponent(name)}`} size="sm" underline="always">
                  All {title.toLowerCase()} of {name}
                </To>
              )}
            </Group>
            <Paper withBorder>
              <ul className="plain-list" aria-label={title}>
                {repos.slice(0, SHOWN).map((repo) => (
                  <RepoRow key={repo.id} repo={repo} type={type} />
                ))}
              </ul>
            </Paper>
          </section>
        );
      })}
    </Stack>
  );
}
