/** Owns the shapes of memories on the HTTP API. */
import { z } from 'zod'
import { RunId, SessionId } from './ids.ts'
import {
  Memory,
  MemoryContent,
  MemoryGoal,
  MemoryId,
  MemoryShare,
  MemoryStatus,
  MemoryTags,
  MemoryType,
  NewMemory,
} from './memory/memory.ts'
import { Label } from './trust.ts'

export * from './memory/keep-memory.ts'
export * from './memory/memory.ts'
export * from './memory/never.ts'
export * from './memory/same-words.ts'
export * from './memory/stats.ts'

export const AddMemory = NewMemory.extend({ pinned: z.boolean().exactOptional() })
export type AddMemory = z.infer<typeof AddMemory>

/** Any field; a goal of null makes it hold everywhere. */
export const EditMemory = z
  .strictObject({
    content: MemoryContent.exactOptional(),
    type: MemoryType.exactOptional(),
    importance: MemoryShare.exactOptional(),
    tags: MemoryTags.exactOptional(),
    goal: MemoryGoal.nullable().exactOptional(),
    pinned: z.boolean().exactOptional(),
  })
  .refine((changes) => Object.keys(changes).length > 0, 'Give at least one field to change.')
export type EditMemory = z.infer<typeof EditMemory>

export const CorrectMemory = z.strictObject({ content: MemoryContent })
export type CorrectMemory = z.infer<typeof CorrectMemory>

export const MemoryView = Memory.extend({
  id: z.string(),
  version: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Set where content worth less than the operator's own led to it. Accepting it takes this away. */
  label: Label.nullable(),
})
export type MemoryView = z.infer<typeof MemoryView>

export const MemoryList = z.strictObject({
  items: z.array(MemoryView),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
})
export type MemoryList = z.infer<typeof MemoryList>

/** A call that told an agent of the memory. */
export const MemoryUse = z.strictObject({
  run: RunId,
  session: SessionId,
  tool: z.string(),
  at: z.string().nullable(),
})
export type MemoryUse = z.infer<typeof MemoryUse>

export const MemoryDetail = z.strictObject({
  memory: MemoryView,
  /** The latest first, twenty at most. */
  used: z.array(MemoryUse),
  /** What it stood in for, the latest first. */
  earlier: z.array(MemoryView),
})
export type MemoryDetail = z.infer<typeof MemoryDetail>

export const MemoryChanged = z.strictObject({
  memory: MemoryView,
  /** An equal one was there already and became more important instead. */
  raised: z.boolean(),
  ledger: z.int(),
})
export type MemoryChanged = z.infer<typeof MemoryChanged>

export const ForgetMemories = z.strictObject({
  ids: z.array(MemoryId).min(1).max(100),
  /** Says what would go, and leaves everything as it is. */
  dryRun: z.boolean().default(false),
})
export type ForgetMemories = z.infer<typeof ForgetMemories>

export const ForgottenMemories = z.strictObject({
  /** What was named. */
  memories: z.int(),
  /** Versions that these had replaced, which go with them. */
  earlier: z.int(),
  /** Places in summaries and logs from which the words were taken out. The entries of the index go with the memory. */
  traces: z.int(),
})
export type ForgottenMemories = z.infer<typeof ForgottenMemories>

export const MemoriesForgotten = ForgottenMemories.extend({ dryRun: z.boolean(), ledger: z.int() })
export type MemoriesForgotten = z.infer<typeof MemoriesForgotten>

export const MemoryStats = z.strictObject({
  total: z.int(),
  status: z.record(MemoryStatus, z.int()),
  /** Of those in use. */
  type: z.record(MemoryType, z.int()),
  pinned: z.int(),
  /** In use, and never told to an agent so far. */
  unused: z.int(),
  newestAt: z.string().nullable(),
  oldestAt: z.string().nullable(),
})
export type MemoryStats = z.infer<typeof MemoryStats>

export const FoundMemory = z.strictObject({ memory: MemoryView, score: z.number() })
export type FoundMemory = z.infer<typeof FoundMemory>

export const NeverWords = z
  .string()
  .refine(
    (text) =>
      /[\p{L}\p{N}]/u.test(text) &&
      text.length <= 100 &&
      text.isWellFormed() &&
      !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text),
    'must be a few words, 100 characters at most',
  )

export const NeverView = z.strictObject({ id: z.string(), words: z.string(), createdAt: z.string() })
export type NeverView = z.infer<typeof NeverView>

export const NeverAdded = z.strictObject({
  never: NeverView,
  /** Memories that hold the words. They stay until they are forgotten. */
  matching: z.array(z.string()),
  ledger: z.int(),
})
export type NeverAdded = z.infer<typeof NeverAdded>
