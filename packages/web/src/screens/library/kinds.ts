/** Owns what each kind of record has: its fields, and the tools by which it is added, changed and deleted. */
import { expenseCategories, type RecordView } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { words } from '../../words/library.tsx'

export type FieldKind =
  | 'line'
  | 'prose'
  | 'markdown'
  | 'time'
  | 'day'
  | 'number'
  /** A decimal, as it is written. */
  | 'amount'
  | 'truth'
  | 'tags'
  | readonly string[]

export interface RecordField {
  readonly name: string
  readonly label: string
  readonly kind: FieldKind
  readonly required?: boolean
}

export type KindName = 'notes' | 'tasks' | 'contacts' | 'bookmarks' | 'calendar' | 'expenses'

export interface RecordKind {
  readonly name: KindName
  readonly title: string
  readonly fields: readonly RecordField[]
  /** The field that it is known by. */
  readonly titleField: string
  readonly tools: {
    readonly add: string
    readonly change: string
    readonly remove: string
    readonly id: string
  }
  readonly list: (
    client: Client,
    search: string | undefined,
  ) => Promise<{ items: RecordView[]; total: number }>
}

/** The most that the gateway gives at once. */
export const mostRecords = 200

const fields = words.fields
const given = (search: string | undefined) => ({ search, limit: mostRecords })

export const kinds: Readonly<Record<KindName, RecordKind>> = {
  notes: {
    name: 'notes',
    title: words.kinds.notes,
    titleField: 'title',
    fields: [
      { name: 'title', label: fields.title, kind: 'line', required: true },
      { name: 'content', label: fields.content, kind: 'markdown' },
      { name: 'category', label: fields.category, kind: 'line' },
      { name: 'tags', label: fields.tags, kind: 'tags' },
      { name: 'isPinned', label: fields.isPinned, kind: 'truth' },
    ],
    tools: { add: 'add_note', change: 'update_note', remove: 'delete_note', id: 'noteId' },
    list: (client, search) => client.notes(given(search)),
  },
  tasks: {
    name: 'tasks',
    title: words.kinds.tasks,
    titleField: 'title',
    fields: [
      { name: 'title', label: fields.title, kind: 'line', required: true },
      { name: 'dueDate', label: fields.dueDate, kind: 'day' },
      { name: 'priority', label: fields.priority, kind: ['low', 'normal', 'high', 'urgent'] },
      { name: 'category', label: fields.category, kind: 'line' },
      { name: 'notes', label: fields.notes, kind: 'prose' },
    ],
    tools: { add: 'add_task', change: 'update_task', remove: 'delete_task', id: 'taskId' },
    list: (client, search) => client.tasks(given(search)),
  },
  contacts: {
    name: 'contacts',
    title: words.kinds.contacts,
    titleField: 'name',
    fields: [
      { name: 'name', label: fields.name, kind: 'line', required: true },
      { name: 'email', label: fields.email, kind: 'line' },
      { name: 'phone', label: fields.phone, kind: 'line' },
      { name: 'company', label: fields.company, kind: 'line' },
      { name: 'jobTitle', label: fields.jobTitle, kind: 'line' },
      { name: 'relationship', label: fields.relationship, kind: 'line' },
      { name: 'birthday', label: fields.birthday, kind: 'day' },
      { name: 'address', label: fields.address, kind: 'prose' },
      { name: 'notes', label: fields.notes, kind: 'prose' },
      { name: 'isFavorite', label: fields.isFavorite, kind: 'truth' },
    ],
    tools: { add: 'add_contact', change: 'update_contact', remove: 'delete_contact', id: 'contactId' },
    list: (client, search) => client.contacts(given(search)),
  },
  bookmarks: {
    name: 'bookmarks',
    title: words.kinds.bookmarks,
    titleField: 'title',
    fields: [
      { name: 'url', label: fields.url, kind: 'line', required: true },
      { name: 'title', label: fields.title, kind: 'line' },
      { name: 'description', label: fields.description, kind: 'prose' },
      { name: 'category', label: fields.category, kind: 'line' },
      { name: 'tags', label: fields.tags, kind: 'tags' },
      { name: 'isFavorite', label: fields.isFavorite, kind: 'truth' },
    ],
    tools: { add: 'add_bookmark', change: 'update_bookmark', remove: 'delete_bookmark', id: 'bookmarkId' },
    list: (client, search) => client.bookmarks(given(search)),
  },
  expenses: {
    name: 'expenses',
    title: words.kinds.expenses,
    titleField: 'description',
    fields: [
      { name: 'description', label: fields.description, kind: 'line', required: true },
      { name: 'amount', label: fields.amount, kind: 'amount', required: true },
      { name: 'currency', label: fields.currency, kind: 'line', required: true },
      { name: 'category', label: fields.category, kind: expenseCategories },
      { name: 'date', label: fields.date, kind: 'day' },
      { name: 'payee', label: fields.payee, kind: 'line' },
      { name: 'paymentMethod', label: fields.paymentMethod, kind: 'line' },
      { name: 'tags', label: fields.tags, kind: 'tags' },
      { name: 'notes', label: fields.notes, kind: 'prose' },
    ],
    tools: { add: 'add_expense', change: 'update_expense', remove: 'delete_expense', id: 'expenseId' },
    list: (client, search) => client.expenses(given(search)),
  },
  calendar: {
    name: 'calendar',
    title: words.kinds.calendar,
    titleField: 'title',
    fields: [
      { name: 'title', label: fields.title, kind: 'line', required: true },
      { name: 'startTime', label: fields.startTime, kind: 'time', required: true },
      { name: 'endTime', label: fields.endTime, kind: 'time' },
      { name: 'isAllDay', label: fields.isAllDay, kind: 'truth' },
      { name: 'location', label: fields.location, kind: 'line' },
      { name: 'category', label: fields.category, kind: 'line' },
      { name: 'description', label: fields.description, kind: 'prose' },
    ],
    tools: {
      add: 'add_calendar_event',
      change: 'update_calendar_event',
      remove: 'delete_calendar_event',
      id: 'eventId',
    },
    list: (client, search) => client.calendarEvents(given(search)),
  },
}
