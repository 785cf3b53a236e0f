/** Owns the figures of the reference weeks as they are shown. `pnpm reference-week --write` writes them. */
import { AskedPer100, Autonomy } from '@countersign/contract'
import { z } from 'zod'
import figures from './reference-week.json' with { type: 'json' }

export const referenceWeek = z
  .object({
    /** Of one week, and how often each level asks in it: the mean of three persons. */
    calls: z.int(),
    asked: z.record(Autonomy, z.int().nullable()),
    per100: AskedPer100,
  })
  .parse(figures)
