import { Badge, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { claimPaper, listPaperClaims } from '@moonbase/client/papers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { Settings } from '../settings/settings.tsx';
import { useEntries } from '../ui/entries.ts';
import { To } from '../ui/link.tsx';
import { More } from '../ui/more.tsx';
import { Empty, Failure, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { Review } from './review.tsx';

export const STATES = {
  claim_requested: { name: 'requested', color: 'blue' },
  claim_verified: { name: 'verified', color: 'green' },
  claim_rejected: { name: 'rejected', color: 'red' },
} as const;

/** The user's claims of authorship; for site administrators, those of all users. */
export function Claims() {
  const hub = useHub();
  const queries = useQueryClient();
  const { query, more } = useEntries(['claims', 'own'], (options) => listPaperClaims({ ...hub, ...options }));
  const [paperId, setPaperId] = useState('');
  const claim = useMutation({
    mutationFn: () => claimPaper({ ...hub, paperId: paperId.trim() }),
    async onSuccess() {
      setPaperId('');
      await queries.invalidateQueries({ queryKey: ['claims'] });
    },
  });
  return (
    <Settings tab="Papers">
      <Stack>
        <Paper withBorder p="md" component="section" aria-label="Your papers">
          <Title order={2} mb="sm">
            Your papers
          </Title>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              claim.mutate();
            }}
          >
            <Group gap="xs" align="flex-end">
              <TextInput
                label="Claim a paper"
                description="Its arXiv identifier. Your full name must be that of one of its authors."
                placeholder="2401.01234"
                className="grows"
                value={paperId}
                onChange={(event) => setPaperId(event.currentTarget.value)}
              />
              <Button type="submit" loading={claim.isPending} disabled={paperId.trim() === ''}>
                Claim
              </Button>
            </Group>
          </form>
          {claim.error && <Failure error={claim.error} />}
          <Loaded query={query}>
            {(claims) =>
              claims.length === 0 ? (
                <Empty title="No claims yet" />
              ) : (
                <ul className="plain-list" aria-label="Claims">
                  {claims.map(({ id, paperId: paper, authorName, status, createdAt }) => (
                    <Group key={id} component="li" className="row" py={8} px={4}>
                      <Badge color={STATES[status].color}>{STATES[status].name}</Badge>
                      <To href={`/papers/${paper}`} size="sm">
                        {paper}
                      </To>
                      <Text size="sm" flex={1} className="breaks">
                        {authorName}
                      </Text>
                      <Text size="xs" c="dimmed">
                        <Time at={createdAt} />
                      </Text>
                    </Group>
                  ))}
                </ul>
              )
            }
          </Loaded>
          <More more={more} busy={query.isPlaceholderData} />
        </Paper>
        <Review />
      </Stack>
    </Settings>
  );
}
