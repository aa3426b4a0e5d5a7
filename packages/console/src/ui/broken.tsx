import { Alert, Button, Group } from '@mantine/core';
import { Component, type ReactNode } from 'react';

/** Shows that a page failed, and leaves the rest as it is: a fault of ours, or a part that is gone after an update. */
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
          <Button size="xs" variant="default" onClick={() => location.reload()}>
            Load it again
          </Button>
        </Group>
      </Alert>
    );
  }
}
