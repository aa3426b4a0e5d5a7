import { Avatar, Text } from '@mantine/core';
import { To } from './link.tsx';

export interface NamedAccount {
  readonly name: string;
  readonly avatarUrl: string;
}

/** The face and the name of an account, which lead to its page; without an account, those of a deleted user. */
export function AccountLink(props: { readonly account: NamedAccount | undefined; readonly size?: number }) {
  const { account, size = 20 } = props;
  const face = <Avatar component="span" src={account?.avatarUrl ?? null} size={size} alt="" />;
  if (!account)
    return (
      <Text component="span" fw={600} size="sm" className="person">
        {face}A deleted user
      </Text>
    );
  return (
    <To href={`/${encodeURIComponent(account.name)}`} c="inherit" fw={600} size="sm" className="person">
      {face}
      {account.name}
    </To>
  );
}
