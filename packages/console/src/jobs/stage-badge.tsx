import { Badge } from '@mantine/core';
import type { JobStage } from '@moonbase/client/jobs';

const COLORS = {
  SCHEDULING: 'gray',
  RUNNING: 'blue',
  COMPLETED: 'green',
  CANCELED: 'orange',
  ERROR: 'red',
  DELETED: 'gray',
} as const;

export const StageBadge = ({ stage }: { readonly stage: JobStage }) => (
  <Badge color={COLORS[stage]} w={96}>
    {stage.toLowerCase()}
  </Badge>
);

export const isOver = (stage: JobStage): boolean => stage !== 'SCHEDULING' && stage !== 'RUNNING';
