import { Stack } from '@mantine/core';
import { Settings } from '../settings.tsx';
import { OwnGrants } from './grants.tsx';
import { OwnApplications } from './own-applications.tsx';
import { TrustedPublishers } from './trusted-publishers.tsx';

/** The applications and jobs that may act for the user, and the applications that the user has registered. */
export function Applications() {
  return (
    <Settings tab="Applications">
      <Stack gap="xl">
        <OwnGrants />
        <TrustedPublishers />
        <OwnApplications />
      </Stack>
    </Settings>
  );
}
