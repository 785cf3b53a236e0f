/** Changes fields of a bookmark. */
import { updateTool } from '../records/change.ts'
import { bookmarks } from './bookmarks.ts'

export const updateBookmark = updateTool(bookmarks, {
  name: 'update_bookmark',
  description: 'Change fields of a bookmark; null removes one.',
  tags: ['saved page', 'edit', 'retitle', 'favourite', 'star', 'retag'],
  idParam: 'bookmarkId',
})
