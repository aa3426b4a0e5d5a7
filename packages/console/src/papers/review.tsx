import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { listAllPaperClaims, rejectPaperClaim, verifyPaperClaim } from '@moonbase/client/papers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import { AskedButton } from '../ui/asking/asked-button.tsx';
import { useEntries } from '../ui/entries.ts';
import { To } from '../ui/link.tsx';
import { More } from '../ui/more.tsx';
import { Empty, Failure } from '../ui/states.tsx';

/** The claims that await a decision; renders nothing for users who may not decide. */
export function Review() {
  const hub = useHub();
  const queries = useQueryClient();
  const { query, more } = useEntries(['claims', 'all'], (options) =>
    listAllPaperClaims({ ...hub, ...options, status: 'claim_requested' }),
  );
  const verify = useMutation({
    mutationFn: (claimId: string) => verifyPaperClaim({ ...hub, claimId }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['claims'] }),
  });
  if (!query.data) return null;
  return (
    <Paper withBorder p="md" component="section" aria-label="Review">
      <Title order={2} mb="sm">
        Claims to review
      </Title>
      {verify.error && <Failure error={verify.error} />}
      {query.data.length === 0 && <Empty title="Nothing to review" />}
      <ul className="plain-list" aria-label="Claims to review">
        {query.data.map(({ id, paperId, authorName, user }) => (
          <Group key={id} component="li" className="row" py={8} px={4}>
            <To href={`/papers/${paperId}`} size="sm">
              {paperId}
            </To>
            <Text size="sm" flex={1} className="breaks">
              {user} claims to be {authorName}
            </Text>
            <Button size="compact-sm" onClick={() => verify.mutate(id)}>
              Verify
            </Button>
            <AskedButton
              label="Reject"
              question={`Reject the claim of ${user}?`}
              does={() => rejectPaperClaim({ ...hub, claimId: id })}
              changes={[['claims']]}
            >
              {user} does not become the author {authorName} of {paperId}.
            </AskedButton>
          </Group>
        ))}
      </ul>
      <More more={more} busy={query.isPlaceholderData} />
    </Paper>
  );
}
