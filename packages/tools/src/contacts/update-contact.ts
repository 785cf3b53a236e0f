/** Changes fields of a contact. */
import { updateTool } from '../records/change.ts'
import { contacts } from './contacts.ts'

export const updateContact = updateTool(contacts, {
  name: 'update_contact',
  description: 'Change fields of a contact; null removes one.',
  tags: [
    'person',
    'people',
    'edit',
    'modify',
    'change',
    'phone',
    'email',
    'address',
    'new number',
    'new address',
    'moved',
    'job',
    'new job',
    'employer',
    'company',
    'number changed',
    'got married',
  ],
  idParam: 'contactId',
})
