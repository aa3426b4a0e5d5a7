import { Text } from '@mantine/core';
import { commentPost, getPost, hidePostComment, replyToPostComment } from '@moonbase/client/posts';
import { useParams } from 'wouter';
import { useHub } from '../session/session.tsx';
import { AccountLink } from '../ui/account-link.tsx';
import { Time } from '../ui/time.tsx';
import { Commented } from './commented.tsx';

export function Post() {
  const { username = '', postSlug = '' } = useParams();
  const hub = useHub();
  return (
    <Commented
      kind="Post"
      name={`${username}/${postSlug}`}
      load={async (signal) => {
        const post = await getPost({ ...hub, username, postSlug, signal });
        const about = (
          <Text c="dimmed" component="div">
            <AccountLink account={post.author} />, <Time at={post.publishedAt} />
          </Text>
        );
        return { ...post, about, author: post.author.name };
      }}
      send={(comment) => commentPost({ ...hub, username, postSlug, comment })}
      reply={(commentId, comment) => replyToPostComment({ ...hub, username, postSlug, commentId, comment })}
      hide={(commentId) => hidePostComment({ ...hub, username, postSlug, commentId })}
    />
  );
}
