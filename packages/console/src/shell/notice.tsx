import { Button, Group } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import type { Connection } from '../inbox/one-stream.ts';
import { reloadPage } from '../ui/updates/reload.ts';
import { useIsOutdated } from '../ui/updates/version.ts';

const EVENTS = ['online', 'offline'] as const;

function listen(listener: () => void): () => void {
  for (const event of EVENTS) window.addEventListener(event, listener);
  return () => {
    for (const event of EVENTS) window.removeEventListener(event, listener);
  };
}

/** Says above the page that it is cut off from the hub, or older than the hub. */
export function Notice({ connection }: { readonly connection: Connection }) {
  const isOnline = useSyncExternalStore(listen, () => navigator.onLine);
  const isOutdated = useIsOutdated();
  const isBroken = connection === 'broken';
  return (
    <div role="status" className="notice">
      {!isOnline && 'You are offline. What you have written stays here; send it once you are back.'}
      {isOnline && isBroken && 'The hub is out of reach; trying again.'}
      {isOnline && !isBroken && isOutdated && (
        <Group gap="sm">
          The hub has been updated.
          <Button size="compact-sm" variant="default" onClick={reloadPage}>
            Load the new version
          </Button>
        </Group>
      )}
    </div>
  );
}
