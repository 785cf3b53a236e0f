/** Deletes a contact; an undo brings it back. */
import { deleteTool } from '../records/change.ts'
import { contacts } from './contacts.ts'

export const deleteContact = deleteTool(contacts, {
  name: 'delete_contact',
  description: 'Delete a contact.',
  tags: ['person', 'people', 'address book', 'remove', 'erase', 'forget', 'details', 'get rid', 'number'],
  idParam: 'contactId',
})
