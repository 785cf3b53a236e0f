/** Adds many bookmarks at once. */
import { batchAddTool } from '../records/add.ts'
import { bookmarks } from './bookmarks.ts'

export const batchAddBookmarks = batchAddTool(bookmarks, 'bookmarks', {
  name: 'batch_add_bookmarks',
  description: 'Save several bookmarks at once, 100 at most.',
  tags: ['link', 'links', 'url', 'save', 'many', 'bulk', 'import', 'these links', 'pages', 'all these'],
})
