import type { ToolDefinition } from '../definition.ts'
import { addBookmark } from './add-bookmark.ts'
import { batchAddBookmarks } from './batch-add-bookmarks.ts'
import { deleteBookmark } from './delete-bookmark.ts'
import { listBookmarks } from './list-bookmarks.ts'
import { updateBookmark } from './update-bookmark.ts'

export { bookmarks } from './bookmarks.ts'

export const bookmarksTools: readonly ToolDefinition[] = [
  addBookmark,
  batchAddBookmarks,
  listBookmarks,
  updateBookmark,
  deleteBookmark,
]
