export { type CommentData, newCommentData } from './comment-data.ts';
export { type CommentEvent, commentTopic, type Thread, type ThreadEvent, threadTopic } from './events.ts';
export { authorIfKnown, htmlOf, peopleInComment, presentAuthor, presentComment, presentEvent } from './present.ts';
export {
  type Comments,
  createComments,
  type NewComment,
  type OwnedThread,
  type WrittenComment,
} from './service.ts';
export { countComments, isAmongNewest, storedEntryBytes } from './store.ts';
export { COMMENTS_BACKUP } from './tables.ts';
export { createTexts, type ParsedText, type Texts } from './texts.ts';
export { entryBytes, MAX_SHOWN_BYTES, requireThreadRoom } from './thread-bytes.ts';
