/** Owns what an operator sets of conversations: when one ends by itself, and how much a prompt tells of those that ended. */
import { z } from 'zod'

/** Minutes of silence after which the next message begins a new task, and the earlier part is put away. */
const SilenceMinutes = z.int().min(10).max(240)
/** How many summaries of earlier conversations a prompt holds at most. */
const Summaries = z.int().min(0).max(10)

export const ConversationSettings = z.strictObject({ silenceMinutes: SilenceMinutes, summaries: Summaries })
export type ConversationSettings = z.infer<typeof ConversationSettings>

export const usualConversations: ConversationSettings = { silenceMinutes: 30, summaries: 5 }

/** In the configuration file: what is left out is as usual. */
export const ConversationChoices = z
  .strictObject({
    silenceMinutes: SilenceMinutes.default(usualConversations.silenceMinutes),
    summaries: Summaries.default(usualConversations.summaries),
  })
  .default(usualConversations)

export const ConversationSettingsView = z.strictObject({
  /** What holds now. */
  now: ConversationSettings,
  /** What holds from the next start on. */
  next: ConversationSettings,
})
export type ConversationSettingsView = z.infer<typeof ConversationSettingsView>
export const ChangedConversationSettings = z.strictObject({
  settings: ConversationSettingsView,
  ledger: z.int(),
})
