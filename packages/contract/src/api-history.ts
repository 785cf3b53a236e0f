/** Owns the shapes of conversations as people see them, of those that ended, and of the file that one travels in. */
import { z } from 'zod'
import { Attachment, MetadataChange } from './attachments.ts'
import { CallOutcome } from './events.ts'
import { CallId, RunId, SessionId } from './ids.ts'
import { line } from './text-shapes.ts'
import { Label, Tier } from './trust.ts'

export const ArchiveReason = z.enum(['session_timeout', 'feed_complete', 'asked'])
export type ArchiveReason = z.infer<typeof ArchiveReason>

/** Words of somebody, or that the work ended otherwise than well. */
export const ThreadMessage = z.strictObject({
  kind: z.literal('message'),
  /** Its place in the session. What is said while a turn ends has that of the turn. */
  position: z.int(),
  at: z.string(),
  run: RunId,
  source: z.enum(['user', 'agent', 'error']),
  text: z.string(),
  attachments: z.array(Attachment).optional(),
  /** A model is no longer shown it, but for a summary. */
  archived: z.boolean(),
})
export type ThreadMessage = z.infer<typeof ThreadMessage>

/** One thing that was done or asked for. */
export const ThreadActivity = z.strictObject({
  kind: z.literal('activity'),
  position: z.int(),
  at: z.string().nullable(),
  run: RunId,
  call: CallId,
  tool: z.string(),
  headline: z.string(),
  /** Null while it is not over. */
  outcome: CallOutcome.nullable(),
  tier: Tier.nullable(),
  summary: z.string(),
  undoable: z.boolean(),
})
export type ThreadActivity = z.infer<typeof ThreadActivity>

export const ThreadItem = z.discriminatedUnion('kind', [ThreadMessage, ThreadActivity])
export type ThreadItem = z.infer<typeof ThreadItem>

/** Where a session came from that did not begin with a message. */
export const SessionOrigin = z.strictObject({
  kind: z.enum(['fork', 'import']),
  /** The session that it was taken from, where there is one here. */
  forkedFrom: SessionId.nullable(),
  /** The last place that was taken. */
  upTo: z.int().nullable(),
  at: z.string(),
})
export type SessionOrigin = z.infer<typeof SessionOrigin>

/** Oldest first. */
export const Thread = z.strictObject({
  session: SessionId,
  title: z.string(),
  origin: SessionOrigin.nullable(),
  items: z.array(ThreadItem),
  /** What to ask for next, as `before`; null where nothing is older. */
  before: z.int().nullable(),
})
export type Thread = z.infer<typeof Thread>

export const EpisodeView = z.strictObject({
  id: z.string(),
  session: SessionId,
  agent: z.string(),
  goal: z.string().nullable(),
  summary: z.string(),
  excerpt: z.string(),
  startedAt: z.string(),
  endedAt: z.string(),
  messages: z.int(),
  label: Label,
})
export type EpisodeView = z.infer<typeof EpisodeView>

export const Timeframe = z.enum(['today', 'last_week', 'last_month', 'last_year', 'all'])
export type Timeframe = z.infer<typeof Timeframe>

const SessionTitle = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => !/\p{Cc}/u.test(text), 'must be one line')

export const ForkSession = z.strictObject({
  /** The place of the last message that is taken; left out, all of them. */
  upTo: z.int().positive().optional(),
  /** Up to what was said before this run began; it may be nothing. */
  before: RunId.optional(),
  /** Nothing is done in it: calls are answered with what was recorded. */
  simulate: z.boolean().optional(),
  title: SessionTitle.optional(),
})
export type ForkSession = z.infer<typeof ForkSession>

export const RenameSession = z.strictObject({ title: SessionTitle })
export type RenameSession = z.infer<typeof RenameSession>

/** Where a list shows it, what a program keeps with it, and its extra tools. What is left out stays as it is. */
export const MarkSession = z.strictObject({
  pinned: z.boolean().optional(),
  hidden: z.boolean().optional(),
  /** By name; null takes an entry away. A model never sees it. */
  metadata: MetadataChange.optional(),
  /** Tools that its agent has here besides its own; all of them, so an empty list takes them away. */
  extraTools: z.array(line(64)).max(20).optional(),
})
export type MarkSession = z.infer<typeof MarkSession>

/** A session that was made of another, or of a file. */
export const SessionMade = z.strictObject({
  session: SessionId,
  title: z.string(),
  messages: z.int(),
  ledger: z.int(),
})
export type SessionMade = z.infer<typeof SessionMade>

export const SessionCleared = z.strictObject({ messages: z.int(), ledger: z.int() })
export type SessionCleared = z.infer<typeof SessionCleared>

export const SessionArchived = z.strictObject({
  /** Null where nothing was left to archive. */
  episode: z.string().nullable(),
  messages: z.int(),
  ledger: z.int(),
})
export type SessionArchived = z.infer<typeof SessionArchived>

const moment = z.iso.datetime({ offset: true })
const source = z
  .string()
  .max(300)
  .refine((text) => !/\p{Cc}/u.test(text), 'must be one line')
const CarriedLabel = Label.extend({ sources: z.array(source).max(8) })

export const exportFormat = 'countersign.conversation'
export const mostExported = 5_000

const ExportedActivity = z.strictObject({
  tool: z.string().max(200),
  headline: z.string().max(2_000),
  outcome: CallOutcome.nullable(),
  summary: z.string().max(10_000),
})
export type ExportedActivity = z.infer<typeof ExportedActivity>

const ExportedMessage = z.strictObject({
  at: moment,
  role: z.enum(['user', 'assistant']),
  text: z.string().max(1_000_000),
  label: CarriedLabel,
  /** What was done with it, told and never to be done again. */
  activity: z.array(ExportedActivity).max(1_000),
})
export type ExportedMessage = z.infer<typeof ExportedMessage>

export const ConversationExport = z
  .strictObject({
    format: z.literal(exportFormat),
    version: z.literal(1),
    exportedAt: moment,
    session: z.strictObject({ title: z.string().max(500), createdAt: moment, label: CarriedLabel }),
    messages: z.array(ExportedMessage).max(mostExported),
  })
  .refine(
    ({ messages }) =>
      messages.every(
        ({ at }, place) => place === 0 || Date.parse(messages[place - 1]?.at ?? at) <= Date.parse(at),
      ),
    'the messages do not stand in the order of their times',
  )
export type ConversationExport = z.infer<typeof ConversationExport>

export const ImportSession = z.strictObject({
  conversation: ConversationExport,
  /** The operator vouches for all of it: it is worth what it says, instead of being untrusted. */
  mine: z.boolean().default(false),
  title: SessionTitle.optional(),
})
export type ImportSession = z.infer<typeof ImportSession>
