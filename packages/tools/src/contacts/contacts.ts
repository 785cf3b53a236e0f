/** Owns what a contact is: a person or an organisation, and how to reach them. */
import { Contact } from '@countersign/contract'
import { defineCollection } from '../records/collection.ts'

export const contacts = defineCollection({
  name: 'contacts',
  singular: 'contact',
  prefix: 'contact',
  category: 'contacts',
  group: 'contacts',
  shape: Contact,
  title: 'name',
  columns: ['name', 'email', 'phone', 'company', 'jobTitle', 'relationship'],
  long: ['notes', 'address'],
  search: ['name', 'email', 'phone', 'company', 'jobTitle', 'notes'],
  filters: {
    relationship: { field: 'relationship', how: 'equal' },
    company: { field: 'company', how: 'equal' },
    isFavorite: { field: 'isFavorite', how: 'equal' },
  },
  order: [{ field: 'name', direction: 'up' }],
})
