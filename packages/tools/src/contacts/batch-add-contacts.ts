/** Adds many contacts at once. */
import { batchAddTool } from '../records/add.ts'
import { contacts } from './contacts.ts'

export const batchAddContacts = batchAddTool(contacts, 'contacts', {
  name: 'batch_add_contacts',
  description: 'Add several contacts at once, 100 at most.',
  tags: ['person', 'people', 'address book', 'phone numbers', 'many', 'bulk', 'import', 'everyone', 'team'],
})
