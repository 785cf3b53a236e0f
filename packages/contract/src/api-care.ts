/** The shapes of looking after an installation: what the checks found, what was repaired, the log, and how days went. */
import { z } from 'zod'

/** One check of the gateway's host, as `countersign doctor` makes it too. */
export const FindingView = z.strictObject({
  id: z.string(),
  severity: z.enum(['ok', 'hint', 'warning', 'error']),
  evidence: z.string(),
  /** What to do; empty where there is nothing to do. */
  fix: z.string(),
  /** What a repair would change, one sentence each; empty where only a person can do it. */
  repairs: z.array(z.string()),
})
export type FindingView = z.infer<typeof FindingView>

export const FindingRepaired = z.strictObject({
  done: z.array(z.string()),
  failed: z.array(z.string()),
  /** The folder with what was there before. */
  kept: z.string(),
  ledger: z.int(),
})
export type FindingRepaired = z.infer<typeof FindingRepaired>

export const LogLine = z.strictObject({
  /** Null for a line without a time, as of a program that the gateway started. */
  at: z.string().nullable(),
  level: z.enum(['info', 'problem']),
  text: z.string(),
})
export type LogLine = z.infer<typeof LogLine>

export const LogView = z.strictObject({
  /** Oldest first. */
  lines: z.array(LogLine),
  /** The file; null where the gateway writes to whoever started it, and only what it wrote since its start is kept. */
  file: z.string().nullable(),
})
export type LogView = z.infer<typeof LogView>

/** How one day went. */
export const HealthDay = z.strictObject({
  /** Such as `2026-11-03`, where the operator lives. */
  day: z.string(),
  /** Runs that ended. */
  runs: z.int(),
  /** Of them, those that ended with a failure. */
  failed: z.int(),
  /** Waits for a model that failed. */
  retries: z.int(),
})
export type HealthDay = z.infer<typeof HealthDay>
