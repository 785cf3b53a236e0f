/**
 * Owns the shapes of schedules, which people call automations: what sets one off, what it does and within which
 * limits, and what became of each time that it was due. Refuses an automation that nobody is told of when it fails.
 */
import { z } from 'zod'
import { RunId, SessionId } from './ids.ts'
import { line, prose } from './text-shapes.ts'
import { Trigger, ZoneName } from './trigger.ts'
import { Label, Requester, Tier } from './trust.ts'
import { WorkOrigin } from './work-origin.ts'

export * from './cron.ts'
export * from './trigger.ts'
export * from './trigger-sentence.ts'

export const schedulesCollection = 'schedules'

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, as 22:00')

/** What is done each time. */
export const ScheduledWork = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('prompt'),
    text: prose(10_000).refine((text) => text.trim() !== '', 'must say what to do'),
  }),
  z.strictObject({ kind: z.literal('plan'), plan: line(100) }),
  z.strictObject({ kind: z.literal('feed') }),
])
export type ScheduledWork = z.infer<typeof ScheduledWork>

/** What happens with times that passed while nobody was there: none of them, the last, or the last few. */
export const MissedPolicy = z.enum(['skip', 'once', 'all'])
export type MissedPolicy = z.infer<typeof MissedPolicy>

export const OverlapPolicy = z.enum(['skip', 'queue', 'parallel'])
export type OverlapPolicy = z.infer<typeof OverlapPolicy>

export const QuietHours = z.strictObject({ from: TimeOfDay, to: TimeOfDay, zone: ZoneName })
export type QuietHours = z.infer<typeof QuietHours>

/** Who is told of a failure: the feed, a conversation, or both. */
export const FailureDelivery = z
  .strictObject({ feed: z.boolean().default(true), session: SessionId.nullable().default(null) })
  .refine(
    ({ feed, session }) => feed || session !== null,
    'somebody must be told: the feed, a session, or both',
  )
export type FailureDelivery = z.infer<typeof FailureDelivery>

/** What a person or a tool may set. */
export const ScheduleSettings = z.strictObject({
  name: line(100),
  trigger: Trigger,
  does: ScheduledWork,
  agent: line(100).default('assistant'),
  goal: line(100).nullable().default(null),
  missed: MissedPolicy.default('once'),
  /** With `all`: how many at most are made up for. */
  most: z.int().min(1).max(100).default(5),
  overlap: OverlapPolicy.default('skip'),
  /** What counts as success, in words. */
  success: prose(1_000).default(''),
  onFailure: FailureDelivery.default({ feed: true, session: null }),
  /** Calls above this tier are not made. What asks below it waits for the operator. */
  tierMax: Tier.default(3),
  /** What one run may cost. */
  maxCostUsd: z.number().min(0).max(1_000).default(1),
  quiet: QuietHours.nullable().default(null),
  status: z.enum(['active', 'paused']).default('active'),
})
export type ScheduleSettings = z.infer<typeof ScheduleSettings>

/** As it is kept in the records. */
export const Schedule = ScheduleSettings.extend({
  /** Raised by each edit that changes what it does. Grants of an earlier version are of no use to a later one. */
  version: z.int().min(1),
  /** The conversation of this version. */
  session: SessionId,
  creator: Requester,
  /** The runs whose calls made or changed it, and those that began them; none where only the operator did. */
  origins: z.array(WorkOrigin).default([]),
})
export type Schedule = z.infer<typeof Schedule>

/** An edit: whatever is given, the rest as it was. */
export const ChangeSchedule = z.strictObject({
  name: ScheduleSettings.shape.name.exactOptional(),
  trigger: Trigger.exactOptional(),
  does: ScheduledWork.exactOptional(),
  agent: line(100).exactOptional(),
  goal: line(100).nullable().exactOptional(),
  missed: MissedPolicy.exactOptional(),
  most: z.int().min(1).max(100).exactOptional(),
  overlap: OverlapPolicy.exactOptional(),
  success: prose(1_000).exactOptional(),
  onFailure: FailureDelivery.exactOptional(),
  tierMax: Tier.exactOptional(),
  maxCostUsd: z.number().min(0).max(1_000).exactOptional(),
  quiet: QuietHours.nullable().exactOptional(),
  status: z.enum(['active', 'paused']).exactOptional(),
})
export type ChangeSchedule = z.infer<typeof ChangeSchedule>

/** No e-mail is passed over because another one is being worked on; whatever else repeats can be skipped. */
export function usualOverlap(trigger: Trigger | undefined): Pick<ScheduleSettings, 'overlap'> | object {
  return trigger?.kind === 'mail' ? { overlap: 'queue' } : {}
}

/** A change of one of these makes it another automation than the one that was agreed to. */
const doing = ['trigger', 'does', 'agent', 'goal', 'success', 'tierMax', 'maxCostUsd', 'quiet'] as const

export function isOtherWork(before: ScheduleSettings, after: ScheduleSettings): boolean {
  return doing.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
}

/** The settings after an edit; a change of what it does is a new version with a conversation of its own. */
export function editedSchedule(before: Schedule, change: ChangeSchedule, fresh: SessionId): Schedule {
  const after: Schedule = { ...before, ...change }
  return isOtherWork(before, after) ? { ...after, version: before.version + 1, session: fresh } : after
}

/** What became of one time or event. `due` is posted and not yet ended. */
export const StoredState = z.enum([
  'due',
  'succeeded',
  'failed',
  'stopped',
  'missed',
  'skipped',
  'suppressed',
])
export type StoredState = z.infer<typeof StoredState>

/** The same as it is shown: what is due waits in its lane, runs, or waits for the operator. */
export const OccurrenceState = z.enum([
  'queued',
  'running',
  'parked',
  'succeeded',
  'failed',
  'stopped',
  'missed',
  'skipped',
  'suppressed',
])
export type OccurrenceState = z.infer<typeof OccurrenceState>

/** Why one did not run, or ended as it did. */
export const OccurrenceReason = z.enum([
  'none',
  'late',
  'paused',
  'edited',
  'overlap',
  'quiet_hours',
  'goal_held',
  'budget',
  'rate',
  'loop',
  /** The sender that the trigger asks for is not proven. */
  'unproven',
  /** The server numbered the e-mails of the folder anew. */
  'renewed',
  'run',
])
export type OccurrenceReason = z.infer<typeof OccurrenceReason>

export const OccurrenceCause = z.enum(['time', 'event', 'webhook', 'watch', 'mail', 'manual'])
export type OccurrenceCause = z.infer<typeof OccurrenceCause>

export const OccurrenceView = z.strictObject({
  id: z.string(),
  schedule: z.string(),
  version: z.int(),
  cause: OccurrenceCause,
  dueAt: z.string(),
  state: OccurrenceState,
  reason: OccurrenceReason,
  /** One sentence. */
  because: z.string(),
  session: SessionId.nullable(),
  run: RunId.nullable(),
  endedAt: z.string().nullable(),
  message: z.string(),
  costUsd: z.number().nullable(),
})
export type OccurrenceView = z.infer<typeof OccurrenceView>

/** How looking for new e-mails goes. */
export const MailLook = z.strictObject({
  /** Null before the first look. */
  lookedAt: z.string().nullable(),
  /** Why the last look did not work. */
  problem: z.string().nullable(),
  /** New e-mails that were more than one look takes. The next one goes on with them. */
  waiting: z.int(),
})
export type MailLook = z.infer<typeof MailLook>

export const ScheduleView = z.strictObject({
  id: z.string(),
  ...Schedule.shape,
  /** The trigger in words. */
  words: z.string(),
  /** The next three times; none for what is not set off by time. */
  next: z.array(z.string()),
  /** The last outcomes, the newest last. */
  last: z.array(OccurrenceState),
  averageCostUsd: z.number().nullable(),
  /** Null for what is not set off by e-mails. */
  look: MailLook.nullable(),
  label: Label.nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type ScheduleView = z.infer<typeof ScheduleView>

/** A schedule to be made: by a sentence, or by its parts. With both, the parts win. */
export const AddSchedule = z.strictObject({
  sentence: prose(10_000).exactOptional(),
  ...ChangeSchedule.omit({ status: true }).shape,
})
export type AddSchedule = z.infer<typeof AddSchedule>

/** What would be made, shown before it is. */
export const SchedulePreview = z.strictObject({
  settings: ScheduleSettings,
  words: z.string(),
  next: z.array(z.string()),
})
export type SchedulePreview = z.infer<typeof SchedulePreview>

export const ScheduleChanged = z.strictObject({ schedule: ScheduleView, ledger: z.int() })
export type ScheduleChanged = z.infer<typeof ScheduleChanged>

export const ScheduleRemoved = z.strictObject({ id: z.string(), name: z.string(), ledger: z.int() })
export type ScheduleRemoved = z.infer<typeof ScheduleRemoved>

export const ScheduleFired = z.strictObject({ occurrence: OccurrenceView, ledger: z.int() })
export type ScheduleFired = z.infer<typeof ScheduleFired>

/** What came of a look for new e-mails. */
export const ScheduleLooked = z.strictObject({ started: z.int(), look: MailLook })
export type ScheduleLooked = z.infer<typeof ScheduleLooked>

/** One step of the trace from the trigger to what came of it. */
export const TraceStep = z.strictObject({
  step: z.enum(['trigger', 'version', 'time', 'condition', 'guard', 'gateway', 'outcome']),
  at: z.string().nullable(),
  sentence: z.string(),
})
export type TraceStep = z.infer<typeof TraceStep>

export const WhyNot = z.strictObject({
  schedule: z.string(),
  name: z.string(),
  day: z.string(),
  zone: z.string(),
  /** The answer in one sentence. */
  answer: z.string(),
  trace: z.array(TraceStep),
})
export type WhyNot = z.infer<typeof WhyNot>

/** What a webhook is answered. A delivery that came before is told so and sets nothing off. */
export const HookTaken = z.strictObject({
  ok: z.literal(true),
  occurrence: z.string(),
  repeated: z.boolean(),
})
export type HookTaken = z.infer<typeof HookTaken>

/** What the tools for schedules may ask of the scheduler, within the transaction of their call. */
export interface ScheduleServices {
  /** Where the operator's days begin. */
  readonly zone: string
  /** The next times after now. */
  upcoming(trigger: Trigger, count: number, from?: Date): readonly string[]
  history(schedule: string, limit: number): Promise<readonly OccurrenceView[]>
  /** Schedules were changed: looks at them again once this transaction is committed. */
  changed(): void
  /** Sets it off once, whatever its trigger says; undefined if there is no such schedule. */
  fire(schedule: string, label: Label): Promise<OccurrenceView | undefined>
}
