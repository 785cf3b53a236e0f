/** Adds one contact. */
import { addTool } from '../records/add.ts'
import { contacts } from './contacts.ts'

export const addContact = addTool(contacts, {
  name: 'add_contact',
  description: 'Add a person or an organisation to the contacts.',
  tags: [
    'person',
    'people',
    'address book',
    'phone',
    'number',
    'email',
    'friend',
    'colleague',
    'new',
    'save',
    'details',
  ],
})
