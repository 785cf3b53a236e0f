/** Owns what people ask of a run that is under way: stop, pause, and words for its next turn. */
import type { Control } from '@countersign/agent'
import { hasWords, heldBy, type PendingControls, type RunRow, type SeenControls } from '../store/run-row.ts'
import type { Unit } from '../store/store.ts'
import { isPaused } from './pauses.ts'
import { insertUserMessage } from './run-state.ts'

/** What people asked of the run meanwhile. Steering words are taken out of the lane and become messages. */
export async function control(unit: Unit, run: RunRow): Promise<Control> {
  const { words, stop, pause } = await pendingControls(unit, run)
  return { stop, pause, steering: words ? await takeSteering(unit, run) : [] }
}

/** The same without taking anything: it only says whether words wait. */
export async function pendingControls(
  unit: Unit,
  run: RunRow,
  known?: SeenControls,
): Promise<PendingControls> {
  const seen = known ?? (await readPauses(unit, run))
  return {
    stop: run.stop_requested_at !== null,
    pause: (seen.paused_at !== null || seen.held) && (await isPaused(unit, run)),
    words: seen.words,
    ledgerAlarm: seen.ledger_alarm_at !== null,
  }
}

async function takeSteering(unit: Unit, run: RunRow): Promise<string[]> {
  const waiting = await unit.db
    .updateTable('inputs')
    .set({ state: 'done' })
    .where('run_id', '=', run.id)
    .where('state', '=', 'steering')
    .returning(['position', 'text', 'metadata'])
    .execute()
  const said = waiting.toSorted((left, right) => left.position - right.position)
  for (const { text, metadata } of said) await insertUserMessage(unit, run, { text, metadata })
  return said.map(({ text }) => text)
}

function readPauses(unit: Unit, run: RunRow): Promise<SeenControls> {
  return unit.db
    .selectFrom('operators')
    .select(['paused_at', 'ledger_alarm_at', heldBy(run).as('held'), hasWords(run.id).as('words')])
    .executeTakeFirstOrThrow()
}
