import { Alert, Button, Group } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { reloadPage } from './updates/reload.ts';

/**
 * Shows inside the frame that a page has failed, by a fault of the console or because an update replaced its script.
 */
export class Broken extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Alert color="red" title="This page failed" role="alert">
        <Group>
          <span>The hub may have been updated meanwhile.</span>
          <Button size="xs" variant="default" onClick={reloadPage}>
            Load it again
          </Button>
        </Group>
      </Alert>
    );
  }
}
