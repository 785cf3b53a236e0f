/**
 * Owns what is kept of the first run: a small file in the data folder, written whole or not at all, so that a kill in
 * the middle loses nothing that was answered. A file that cannot be read counts as none.
 */
import { existsSync, readFileSync } from 'node:fs'
import { SetupState, SetupStepId } from '@countersign/contract'
import { replaceFile } from '@countersign/contract/node'
import { z } from 'zod'

const StepRecord = z.strictObject({
  state: SetupState,
  at: z.string().nullable(),
  /** What the step wants to find again. */
  notes: z.record(z.string(), z.json()),
})
export type StepRecord = z.infer<typeof StepRecord>

const StepRecordsFile = z.strictObject({
  schema: z.literal(1),
  steps: z.partialRecord(SetupStepId, StepRecord),
})

export interface StepRecords {
  /** Read anew at every look: another gateway of this home may have gone on. */
  read(): Readonly<Partial<Record<SetupStepId, StepRecord>>>
  write(id: SetupStepId, step: StepRecord): void
}

export function openStepRecords(file: string, onProblem: (problem: unknown) => void): StepRecords {
  function read(): Partial<Record<SetupStepId, StepRecord>> {
    if (!existsSync(file)) return {}
    try {
      return StepRecordsFile.parse(JSON.parse(readFileSync(file, 'utf8'))).steps
    } catch (cause) {
      onProblem(new Error(`${file} cannot be read, so setup starts again.`, { cause }))
      return {}
    }
  }

  return {
    read,
    write(id, step) {
      replaceFile(file, `${JSON.stringify({ schema: 1, steps: { ...read(), [id]: step } }, null, 2)}\n`)
    },
  }
}

export const newStepRecord: StepRecord = { state: 'todo', at: null, notes: {} }
