/** Owns which runs a list of them shows. Pure: what is wanted comes from the address. */
import { isInternalRun, type RunView } from '@countersign/contract'
import { runWord } from './run-word.ts'

export const periods = ['day', 'week', 'month'] as const
export const triggers = ['you', 'automation'] as const
export const costs = ['0.01', '0.1', '1'] as const

export type RunFilter = Readonly<
  Partial<Record<'words' | 'state' | 'since' | 'agent' | 'tool' | 'by' | 'cost' | 'internal', string>>
>

const dayMs = 24 * 60 * 60_000
const periodMs: Readonly<Record<string, number>> = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs }

export function filtered(runs: readonly RunView[], wanted: RunFilter, now: Date): readonly RunView[] {
  return runs.filter((run) => tests(wanted, now).every((test) => test(run)))
}

function tests(wanted: RunFilter, now: Date): readonly ((run: RunView) => boolean)[] {
  const { words = '', state, since, agent, tool, by, cost, internal } = wanted
  const sought = words.trim().toLowerCase()
  const from = now.getTime() - (periodMs[since ?? ''] ?? Number.POSITIVE_INFINITY)
  return [
    (run) => internal !== undefined || !isInternalRun(run),
    (run) => sought === '' || wordsOf(run).includes(sought),
    (run) => state === undefined || runWord(run) === state,
    (run) => Date.parse(run.startedAt) >= from,
    (run) => agent === undefined || run.agent === agent,
    (run) => tool === undefined || run.tools.includes(tool),
    (run) => by === undefined || (by === 'automation') === (run.schedule !== null),
    (run) => cost === undefined || run.costUsd >= Number(cost),
  ]
}

function wordsOf(run: RunView): string {
  return [run.asked, run.text, run.message, run.id, run.agent, ...run.tools].join(' ').toLowerCase()
}
