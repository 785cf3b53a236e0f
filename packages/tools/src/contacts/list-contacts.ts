/** Lists contacts by name. */
import { listTool } from '../records/list.ts'
import { contacts } from './contacts.ts'

export const listContacts = listTool(contacts, {
  name: 'list_contacts',
  description: 'List contacts by name.',
  tags: [
    'person',
    'people',
    'address book',
    'phone',
    'phone number',
    'number',
    'email',
    'email address',
    'birthday',
    'find',
    'search',
    'who',
    'who is',
    'do i know',
    'reach',
    'contact',
    'get hold of',
    'call',
    'lookup',
    'works at',
  ],
})
