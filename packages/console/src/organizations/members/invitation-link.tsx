import { Alert, Button, Code, CopyButton, Text } from '@mantine/core';

/** The link of an invitation by mail: the hub tells it this once, and the only way where it sends no mail. */
export function InvitationLink({ link }: { readonly link: string }) {
  return (
    <Alert mt="sm" p="sm" role="status" title="Invited">
      <Text size="sm" mb="xs">
        Within seven days this link accepts the invitation, once and for anybody who has it. It is not shown again.
      </Text>
      <Code block className="breaks" mb="xs">
        {link}
      </Code>
      <CopyButton value={link}>
        {({ copied, copy }) => (
          <Button size="compact-sm" variant="default" onClick={copy}>
            {copied ? 'Copied' : 'Copy the link'}
          </Button>
        )}
      </CopyButton>
    </Alert>
  );
}
