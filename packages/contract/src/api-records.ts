/**
 * Owns the shapes of the operator's records: what tools and screens may set, and what the HTTP API carries. Refuses
 * text that is no text and dates that no calendar has.
 */
import { z } from 'zod'
import { amountRule, currencyRule, isAmount, minorDigits } from './currency.ts'
import { isDay, timeOf } from './record-time.ts'
import { line, prose } from './text-shapes.ts'
import { Label } from './trust.ts'

const day = z.string().refine(isDay, 'must be a date that exists, as 2026-03-31')
const time = z
  .string()
  .refine(
    (text) => timeOf(text) !== undefined,
    'must be a date or a time that exists, as 2026-03-31 or 2026-03-31T14:30:00, with Z or +02:00 if it is not local',
  )
const label = line(100)
const tags = z.array(line(50)).max(20)

export const Task = z.strictObject({
  title: line(500),
  dueDate: time.describe('YYYY-MM-DD or YYYY-MM-DDTHH:mm:ss').exactOptional(),
  priority: z.enum(['low', 'normal', 'high', 'urgent']).default('normal'),
  category: label.exactOptional(),
  notes: prose(10_000).exactOptional(),
  status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']).default('pending'),
})
export type Task = z.infer<typeof Task>

export const Bookmark = z.strictObject({
  url: z.string().refine(isWebAddress, 'must be an address that begins with http:// or https://'),
  title: line(300).exactOptional(),
  description: prose(2_000).exactOptional(),
  category: label.exactOptional(),
  tags: tags.default([]),
  isFavorite: z.boolean().default(false),
})
export type Bookmark = z.infer<typeof Bookmark>

export const Note = z.strictObject({
  title: line(300),
  content: prose(100_000).describe('Markdown'),
  category: label.exactOptional(),
  tags: tags.default([]),
  isPinned: z.boolean().default(false),
})
export type Note = z.infer<typeof Note>

export const CalendarEvent = z.strictObject({
  title: line(300),
  startTime: time.describe('YYYY-MM-DDTHH:mm:ss, or YYYY-MM-DD for all day'),
  endTime: time.exactOptional(),
  isAllDay: z.boolean().exactOptional(),
  location: line(500).exactOptional(),
  description: prose(10_000).exactOptional(),
  category: label.exactOptional(),
  reminder: z.int().min(0).max(525_600).describe('Minutes before').exactOptional(),
})
export const eventsCollection = 'events'
export type CalendarEvent = z.infer<typeof CalendarEvent>

export const Contact = z.strictObject({
  name: line(200),
  email: z
    .string()
    .refine(
      (text) => /^[^\s@<>]{1,64}@[^\s@<>]{1,253}$/.test(text) && text.isWellFormed(),
      'must be an address as name@example.com',
    )
    .exactOptional(),
  phone: z.string().refine(isPhone, 'must be a number as +44 20 7946 0018').exactOptional(),
  company: line(200).exactOptional(),
  jobTitle: line(200).exactOptional(),
  relationship: label.exactOptional(),
  birthday: day.describe('YYYY-MM-DD').exactOptional(),
  address: prose(1_000).exactOptional(),
  notes: prose(10_000).exactOptional(),
  isFavorite: z.boolean().default(false),
})
export type Contact = z.infer<typeof Contact>

export const expenseCategories = [
  'food',
  'transport',
  'utilities',
  'entertainment',
  'shopping',
  'health',
  'education',
  'travel',
  'subscription',
  'housing',
  'other',
] as const

/** Kept with `amountMinor` beside it, the same amount as a whole number of the currency's smallest unit. */
export const Expense = z.strictObject({
  amount: z
    .union([z.string(), z.number()])
    .refine(isAmount, amountRule)
    .describe('As 12.10; negative for a refund'),
  currency: z
    .string()
    .refine((code) => minorDigits(code) !== undefined, currencyRule)
    .describe('ISO code, as EUR'),
  category: z.enum(expenseCategories),
  description: line(300),
  date: day.describe('YYYY-MM-DD; today if left out').exactOptional(),
  payee: line(200).exactOptional(),
  paymentMethod: label.exactOptional(),
  tags: tags.default([]),
  notes: prose(2_000).exactOptional(),
})
export type Expense = z.infer<typeof Expense>

export const TableName = z
  .string()
  .refine((text) => /^[a-z][a-z0-9_]{0,62}$/.test(text), 'must be of a-z, 0-9 and _, and begin with a letter')

export const ColumnType = z.enum([
  'text',
  'number',
  'integer',
  'boolean',
  'date',
  'datetime',
  'json',
  'select',
])
export type ColumnType = z.infer<typeof ColumnType>

export const TableColumn = z.strictObject({
  name: z
    .string()
    .refine(
      (text) => /^[a-zA-Z][a-zA-Z0-9_]{0,62}$/.test(text),
      'must be of letters, digits and _, and begin with a letter',
    ),
  type: ColumnType.default('text'),
  required: z.boolean().default(false),
  unique: z.boolean().default(false),
  /** What a record has that says nothing. */
  default: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
  /** The values of a `select`. */
  options: z.array(line(100)).min(1).max(100).exactOptional(),
  description: line(300).exactOptional(),
})
export type TableColumn = z.infer<typeof TableColumn>

export const CustomTable = z.strictObject({
  table: TableName,
  description: line(500).exactOptional(),
  columns: z.array(TableColumn).min(1).max(50),
})
export type CustomTable = z.infer<typeof CustomTable>

/** A record as the API gives it. Its version is its ETag as well. */
export function recordView<Data extends z.ZodType>(data: Data) {
  return z.strictObject({
    id: z.string(),
    version: z.int(),
    createdAt: z.string(),
    updatedAt: z.string(),
    /** Set where untrusted content led to the record. */
    label: Label.nullable(),
    data,
  })
}

export function recordList<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ items: z.array(recordView(data)), total: z.int(), limit: z.int(), offset: z.int() })
}

export function recordReply<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ record: recordView(data), ledger: z.int() })
}

/** Data of no fixed shape; what a table holds is checked against its columns. */
export const RecordData = z.record(z.string(), z.unknown())
export const RecordView = recordView(RecordData)
export const RecordList = recordList(RecordData)
export const RecordReply = recordReply(RecordData)
export type RecordView = z.infer<typeof RecordView>
export type RecordList = z.infer<typeof RecordList>
export type RecordReply = z.infer<typeof RecordReply>

export const TableView = z.strictObject({
  table: z.string(),
  description: z.string().nullable(),
  columns: z.array(TableColumn),
  records: z.int(),
  version: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type TableView = z.infer<typeof TableView>

export const TableReply = z.strictObject({ table: TableView, ledger: z.int() })
export type TableReply = z.infer<typeof TableReply>

function isWebAddress(text: string): boolean {
  if (text.length > 4096 || !/^https?:\/\//i.test(text) || /[\s\p{Cc}\p{Cf}]/u.test(text)) return false
  const address = URL.parse(text)
  return address !== null && address.hostname !== '' && address.username === '' && address.password === ''
}

function isPhone(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length
  return /^[+0-9 ()./-]{3,40}$/.test(text) && digits >= 3 && digits <= 20
}
