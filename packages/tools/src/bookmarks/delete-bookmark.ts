/** Deletes a bookmark; an undo brings it back. */
import { deleteTool } from '../records/change.ts'
import { bookmarks } from './bookmarks.ts'

export const deleteBookmark = deleteTool(bookmarks, {
  name: 'delete_bookmark',
  description: 'Delete a bookmark.',
  tags: ['link', 'url', 'remove', 'erase', 'unsave', 'get rid', 'saved page'],
  idParam: 'bookmarkId',
})
