import type { Article, Post as ShownPost } from '@moonbase/contract/papers/posts';
import type { z } from 'zod';
import type { Account } from '../accounts/index.ts';
import { presentAuthor } from '../comments/index.ts';
import { timestamp } from '../platform/clock.ts';
import type { Post } from './store.ts';

type Shown = z.input<typeof ShownPost>;

export const presentPost = (baseUrl: string, post: Post, author: Account, comments: Shown['comments']): Shown => ({
  id: post.id,
  slug: post.slug,
  title: post.title,
  author: presentAuthor(baseUrl, author),
  publishedAt: timestamp(post.created_at),
  comments,
});

export const presentArticle = (...given: Parameters<typeof presentPost>): z.input<typeof Article> => ({
  ...presentPost(...given),
  canonical: given[1].canonical === 1,
});
