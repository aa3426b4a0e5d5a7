import { Text } from '@mantine/core';
import {
  commentArticle,
  commentCanonicalArticle,
  getArticle,
  getCanonicalArticle,
  hideArticleComment,
  hideCanonicalArticleComment,
  replyToArticleComment,
  replyToCanonicalArticleComment,
} from '@moonbase/client/posts';
import { useParams } from 'wouter';
import { useHub } from '../session/session.tsx';
import { AccountLink } from '../ui/account-link.tsx';
import { Time } from '../ui/time.tsx';
import { Commented } from './commented.tsx';

/** An article, identified by author and slug, or by slug alone. */
export function Article() {
  const { namespace, slug = '' } = useParams();
  const hub = useHub();
  return (
    <Commented
      kind="Article"
      name={namespace === undefined ? slug : `${namespace}/${slug}`}
      load={async (signal) => {
        const article = await (namespace === undefined
          ? getCanonicalArticle({ ...hub, slug, signal })
          : getArticle({ ...hub, namespace, slug, signal }));
        const about = (
          <Text c="dimmed" component="div">
            <AccountLink account={article.author} />, <Time at={article.publishedAt} />
          </Text>
        );
        return { ...article, about, author: article.author.name };
      }}
      send={(comment) =>
        namespace === undefined
          ? commentCanonicalArticle({ ...hub, slug, comment })
          : commentArticle({ ...hub, namespace, slug, comment })
      }
      reply={(commentId, comment) =>
        namespace === undefined
          ? replyToCanonicalArticleComment({ ...hub, slug, commentId, comment })
          : replyToArticleComment({ ...hub, namespace, slug, commentId, comment })
      }
      hide={(commentId) =>
        namespace === undefined
          ? hideCanonicalArticleComment({ ...hub, slug, commentId })
          : hideArticleComment({ ...hub, namespace, slug, commentId })
      }
    />
  );
}
