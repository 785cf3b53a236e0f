/**
 * Owns what is kept of a memory. Refuses text that is no text, and a memory that does not say where it came from.
 */
import { z } from 'zod'
import { RunId, SessionId } from '../ids.ts'

const control = /[\p{Cc}\p{Zl}\p{Zp}]/u
const controlButLines = /[^\P{Cc}\n\t]/u

const line = (longest: number) =>
  z
    .string()
    .refine(
      (text) => text.trim() !== '' && text.length <= longest && text.isWellFormed() && !control.test(text),
      `must be one line of 1 to ${longest} characters`,
    )

const prose = (longest: number) =>
  z
    .string()
    .refine(
      (text) =>
        text.trim() !== '' && text.length <= longest && text.isWellFormed() && !controlButLines.test(text),
      `must be text of 1 to ${longest} characters`,
    )

export const memoriesCollection = 'memories'

export const MemoryType = z.enum(['fact', 'preference', 'event', 'skill'])
export type MemoryType = z.infer<typeof MemoryType>

/** A suggestion is not used before it is accepted; what is superseded or rejected is not used any more. */
export const MemoryStatus = z.enum(['active', 'suggested', 'superseded', 'rejected'])
export type MemoryStatus = z.infer<typeof MemoryStatus>

export const MemoryId = z.string().regex(/^mem_[0-9a-f]{32}$/, 'is no id of a memory, as mem_0198…')

export const longestExcerpt = 300

export const MemorySource = z.strictObject({
  /** Said by the operator, inferred from their words, written down by an agent, or brought from elsewhere. */
  kind: z.enum(['said', 'inferred', 'agent', 'import']),
  session: SessionId.exactOptional(),
  run: RunId.exactOptional(),
  /** The words that it came from, to the letter. */
  excerpt: z.string().max(longestExcerpt).exactOptional(),
})
export type MemorySource = z.infer<typeof MemorySource>

export const MemoryContent = prose(2_000)
export const MemoryTags = z.array(line(50)).max(20)
export const MemoryShare = z.number().min(0).max(1)
export const MemoryGoal = line(100)

/** The data of a record in the collection of memories. */
export const Memory = z.strictObject({
  content: MemoryContent,
  type: MemoryType,
  importance: MemoryShare.default(0.5),
  tags: MemoryTags.default([]),
  status: MemoryStatus.default('active'),
  source: MemorySource,
  /** The goal that it belongs to; null is everywhere. */
  goal: MemoryGoal.nullable().default(null),
  pinned: z.boolean().default(false),
  uses: z.int().min(0).default(0),
  lastUsedAt: z.iso.datetime().nullable().default(null),
  /** The memory that this one stands in for, and the one that stands in for this. */
  supersedes: z.string().nullable().default(null),
  supersededBy: z.string().nullable().default(null),
  confidence: MemoryShare.default(1),
})
export type Memory = z.infer<typeof Memory>

/** What whoever adds a memory may say of it. */
export const NewMemory = z.strictObject({
  content: MemoryContent.describe('Concise but complete'),
  type: MemoryType,
  importance: MemoryShare.describe('0 to 1, default 0.5').exactOptional(),
  tags: MemoryTags.exactOptional(),
  goal: MemoryGoal.describe('Id of the goal it is for; left out, everywhere').exactOptional(),
})
export type NewMemory = z.infer<typeof NewMemory>

/** What becomes of things that the operator said and nobody was told to remember: nothing, a suggestion, a memory. */
export const AutomaticMemory = z.enum(['off', 'suggest', 'on'])
export type AutomaticMemory = z.infer<typeof AutomaticMemory>
