/**
 * Owns the HTTP shapes of the first run: eight steps, each with what it shows and what it is told. One flow for the
 * terminal and the browser. Refuses a step that is told more than it asks for.
 */
import { z } from 'zod'
import { AccountName } from './account-name.ts'
import { DetectedProvider, ModelPrice, ModelRef, ProviderKind, ProviderName } from './api-models.ts'
import { ApprovalId, CallId, RunId, SessionId } from './ids.ts'
import { canonicalText } from './json/canonical.ts'
import { line } from './text-shapes.ts'
import { Autonomy, Tier } from './trust.ts'
import { PasskeyProof } from './trust-statement.ts'

export const SetupStepId = z.enum(['check', 'you', 'model', 'safety', 'action', 'reach', 'keep', 'recipes'])
export type SetupStepId = z.infer<typeof SetupStepId>

export const SetupState = z.enum(['todo', 'done', 'skipped'])
export type SetupState = z.infer<typeof SetupState>

export const SetupFinding = z.strictObject({
  id: z.enum(['disk', 'clock', 'sandbox', 'keys', 'service']),
  title: z.string(),
  /** `error` keeps one on the step; a warning says what is done without. */
  severity: z.enum(['ok', 'warning', 'error']),
  evidence: z.string(),
  /** What to do; empty when there is nothing to do. */
  fix: z.string(),
})
export type SetupFinding = z.infer<typeof SetupFinding>

export const CheckData = z.strictObject({ findings: z.array(SetupFinding) })

export const YouData = z.strictObject({
  name: z.string().nullable(),
  /** Whether a passkey is registered. */
  passkey: z.boolean(),
})

/** The model that answered, and what it took. */
export const ChosenModel = z.strictObject({
  ref: ModelRef,
  title: z.string(),
  demo: z.boolean(),
  price: ModelPrice.nullable(),
  firstTokenMs: z.number().nullable(),
  totalMs: z.number(),
  usd: z.number(),
  /** What it answered in the test. */
  text: z.string(),
})
export type ChosenModel = z.infer<typeof ChosenModel>

export const ModelData = z.strictObject({
  /** Keys of the environment and servers of this machine that are not set up yet. */
  detected: z.array(DetectedProvider),
  /** Kinds for which a key can be pasted. */
  kinds: z.array(z.strictObject({ kind: ProviderKind, title: z.string() })),
  /** What is set up already, by reference; null without any. */
  current: ModelRef.nullable(),
  chosen: ChosenModel.nullable(),
})

export const SafetyChoice = z.enum(['boundaries', 'everything', 'custom'])
export type SafetyChoice = z.infer<typeof SafetyChoice>

export const SafetyCard = z.strictObject({
  choice: SafetyChoice,
  /** Null where the operator says which. */
  level: Autonomy.nullable(),
  title: z.string(),
  about: z.string(),
  /** How often it would have asked in the reference week; null where nobody counted. */
  asks: z.int().nullable(),
})
export type SafetyCard = z.infer<typeof SafetyCard>

export const SafetyData = z.strictObject({
  cards: z.array(SafetyCard),
  levels: z.array(z.strictObject({ level: Autonomy, about: z.string(), asks: z.int().nullable() })),
  /** The calls of the reference week. */
  calls: z.int(),
  level: Autonomy,
  /** Why the level cannot be changed here, as when the environment of the gateway sets it. */
  fixed: z.string().nullable(),
  monthlyUsd: z.number(),
  unattendedUsd: z.number(),
  /** What is proposed for unattended work: a little before the first choice, and what holds after it. */
  suggestedUnattendedUsd: z.number(),
  chosen: SafetyChoice.nullable(),
})

/** What the step of safety sets, as a whole. */
export interface SafetySetting {
  readonly level: Autonomy
  readonly monthlyUsd: number
  readonly unattendedUsd: number
}

/** Whether less is asked or more may be spent. */
export function isLooser(before: SafetySetting, after: SafetySetting): boolean {
  const rank = (level: Autonomy) => Autonomy.options.indexOf(level)
  return (
    rank(after.level) > rank(before.level) ||
    after.monthlyUsd > before.monthlyUsd ||
    after.unattendedUsd > before.unattendedUsd
  )
}

/** What a passkey proves for a looser setting; `before` is as the step shows it. */
export function autonomyText({
  gateway,
  before,
  after,
  at,
}: {
  readonly gateway: string
  readonly before: SafetySetting
  readonly after: SafetySetting
  readonly at: string
}): string {
  const plain = ({ level, monthlyUsd, unattendedUsd }: SafetySetting) => ({
    level,
    monthlyUsd,
    unattendedUsd,
  })
  const about = { gateway, before: plain(before), after: plain(after), at }
  return `countersign/autonomy/v1\0${canonicalText(about)}`
}

export const SafetyProof = z.strictObject({ at: z.iso.datetime({ precision: 3 }), passkey: PasskeyProof })
export type SafetyProof = z.infer<typeof SafetyProof>

export const FirstAction = z.enum(['tidy', 'page', 'draft'])
export type FirstAction = z.infer<typeof FirstAction>

export const ActionChoice = z.strictObject({
  action: FirstAction,
  title: z.string(),
  tier: Tier,
  about: z.string(),
  /** How many cards come, at the level that is set. */
  asks: z.int(),
  /** What it takes besides; empty when nothing. */
  needs: z.string(),
  text: z.string(),
})
export type ActionChoice = z.infer<typeof ActionChoice>

export const ActionProgress = z.strictObject({
  action: FirstAction,
  session: SessionId,
  run: RunId.nullable(),
  state: z.enum(['working', 'waiting', 'done', 'ended']),
  /** The card that waits. */
  approval: z.strictObject({ id: ApprovalId, code: z.string(), headline: z.string(), tier: Tier }).nullable(),
  /** The first call that was approved and went well. */
  ran: z
    .strictObject({
      call: CallId,
      headline: z.string(),
      summary: z.string(),
      tier: Tier,
      undoable: z.boolean(),
    })
    .nullable(),
  /** Why it ended without one, and what to do. */
  problem: z.string().nullable(),
})
export type ActionProgress = z.infer<typeof ActionProgress>

export const ActionData = z.strictObject({
  choices: z.array(ActionChoice),
  progress: ActionProgress.nullable(),
})

/** Where a message arrived, as the operator says: in a channel, or as a notification of a browser. */
export const ReachedPlace = z.discriminatedUnion('kind', [
  /** By the name of the channel. */
  z.strictObject({ kind: z.literal('channel'), name: AccountName }),
  z.strictObject({ kind: z.literal('push') }),
])
export type ReachedPlace = z.infer<typeof ReachedPlace>

export const ReachData = z.strictObject({
  ways: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      state: z.enum(['ready', 'browser', 'absent']),
      about: z.string(),
      /** What may be decided there. */
      approves: z.string(),
      /** The same in a terminal, where that is the way. */
      command: z.string().optional(),
    }),
  ),
  /** Null until the operator said that one did. */
  arrived: ReachedPlace.nullable(),
})

export const KeepData = z.strictObject({
  manager: z.enum(['systemd', 'launchd', 'none']),
  /** What would be written where, shown before anything is. */
  preview: z.string(),
  command: z.string(),
  completions: z.array(z.strictObject({ shell: z.string(), command: z.string() })),
})

export const Recipe = z.strictObject({
  id: z.string(),
  name: line(100),
  sentence: z.string(),
  about: z.string(),
  /** What it may do, in words. */
  may: z.string(),
  tierMax: Tier,
  /** The most that one time may cost. */
  maxCostUsd: z.number(),
  /** The automation that was made of it. */
  added: z.strictObject({ id: z.string(), status: z.enum(['active', 'paused']) }).nullable(),
})
export type Recipe = z.infer<typeof Recipe>

export const RecipesData = z.strictObject({
  recipes: z.array(Recipe),
  /** What unattended work may cost a month; at zero none of them begins. */
  unattendedUsd: z.number(),
})

const step = <Id extends SetupStepId, Data extends z.ZodType>(id: Id, data: Data) =>
  z.strictObject({
    id: z.literal(id),
    title: z.string(),
    /** One sentence. */
    about: z.string(),
    state: SetupState,
    skippable: z.boolean(),
    at: z.string().nullable(),
    data,
  })

export const SetupStep = z.discriminatedUnion('id', [
  step('check', CheckData),
  step('you', YouData),
  step('model', ModelData),
  step('safety', SafetyData),
  step('action', ActionData),
  step('reach', ReachData),
  step('keep', KeepData),
  step('recipes', RecipesData),
])
export type SetupStep = z.infer<typeof SetupStep>
export type SetupStepOf<Id extends SetupStepId> = Extract<SetupStep, { id: Id }>

export const Onboarding = z.strictObject({
  steps: z.array(SetupStep),
  /** Done or skipped. */
  settled: z.int(),
  total: z.int(),
  /** The first that is still to do; null when all are settled. */
  next: SetupStepId.nullable(),
})
export type Onboarding = z.infer<typeof Onboarding>

/** A look costs no probe of servers: what is shown small asks for this. */
export const OnboardingSummary = z.strictObject({
  settled: z.int(),
  total: z.int(),
  next: SetupStepId.nullable(),
  steps: z.array(z.strictObject({ id: SetupStepId, title: z.string(), state: SetupState })),
})
export type OnboardingSummary = z.infer<typeof OnboardingSummary>

/** What each step is told. */
export const setupAnswers = {
  check: z.strictObject({}),
  you: z.strictObject({ name: line(100) }),
  model: z.discriminatedUnion('choice', [
    z.strictObject({ choice: z.literal('demo') }),
    /** What is set up already. */
    z.strictObject({ choice: z.literal('current') }),
    z.strictObject({ choice: z.literal('detected'), name: ProviderName }),
    z.strictObject({
      choice: z.literal('key'),
      kind: ProviderKind,
      key: z.string().min(1).max(4_096).optional(),
      url: z.url().optional(),
      /** As the provider names it; left out, a cheap one with tools. */
      model: z.string().min(1).max(200).optional(),
    }),
  ]),
  safety: z.strictObject({
    choice: SafetyChoice,
    /** Needed with `custom`. */
    level: Autonomy.optional(),
    monthlyUsd: z.number().min(0).max(1_000_000).default(10),
    unattendedUsd: z.number().min(0).max(1_000_000).default(0),
    /** Needed for a looser setting once there is a passkey. */
    proof: SafetyProof.optional(),
  }),
  action: z.strictObject({ action: FirstAction, url: z.url().max(2_000).optional() }),
  /** Left out: the operator goes on without a message. */
  reach: z.strictObject({ arrived: ReachedPlace.optional() }),
  keep: z.strictObject({}),
  recipes: z.strictObject({
    recipes: z
      .array(
        z.strictObject({ id: z.string().max(100), status: z.enum(['active', 'paused']).default('active') }),
      )
      .max(20)
      .default([]),
    /** What unattended work may cost a month; left out, it stays. */
    unattendedUsd: z.number().min(0).max(1_000_000).optional(),
  }),
} as const satisfies Readonly<Record<SetupStepId, z.ZodType>>

export type SetupAnswer<Id extends SetupStepId> = z.input<(typeof setupAnswers)[Id]>
export type ReadSetupAnswer<Id extends SetupStepId> = z.output<(typeof setupAnswers)[Id]>
