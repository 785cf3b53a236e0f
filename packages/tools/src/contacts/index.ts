import type { ToolDefinition } from '../definition.ts'
import { addContact } from './add-contact.ts'
import { batchAddContacts } from './batch-add-contacts.ts'
import { deleteContact } from './delete-contact.ts'
import { listContacts } from './list-contacts.ts'
import { updateContact } from './update-contact.ts'

export { contacts } from './contacts.ts'

export const contactsTools: readonly ToolDefinition[] = [
  addContact,
  batchAddContacts,
  listContacts,
  updateContact,
  deleteContact,
]
