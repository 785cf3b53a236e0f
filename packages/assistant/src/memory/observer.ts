/**
 * Owns remembering without being told to: after a conversation, a model proposes what is worth keeping of the
 * operator's own words. What it proposes is shown before it is used, unless the operator wants it otherwise.
 */
import {
  type AutomaticMemory,
  equalsOf,
  keepMemory,
  type Label,
  type OperatorId,
  type RunId,
  type SessionId,
} from '@countersign/contract'
import type { RunRow } from '@countersign/kernel'
import type { Hand, House } from '../hand.ts'
import { type ExtractedFact, extractionPrompt, extractionSystem, factsIn } from './extraction.ts'
import { claim, dueRuns, mostAttempts, settle, type WatchedRun, watch } from './watch.ts'

export interface ExtractionRequest {
  readonly operator: OperatorId
  readonly purpose: 'extraction'
  readonly system: string
  readonly prompt: string
  readonly mostTokens: number
  /** Whose words they are, for the books. */
  readonly run: RunId
  readonly session: SessionId
}

/** Asks a model. Nothing when it cannot answer now. */
export type AskModel = (request: ExtractionRequest) => Promise<string | undefined>

export interface ObserverParts {
  readonly house: House
  readonly automatic: AutomaticMemory
  readonly ask: AskModel
  /** The agents whose conversations are looked at. */
  readonly agents?: readonly string[]
}

export type EndedRun = Pick<RunRow, 'id' | 'session_id' | 'kind' | 'agent' | 'unattended' | 'label'>

export interface Observer {
  /** In the transaction that ends the run; with the tools that it called. */
  ended(hand: Hand, run: EndedRun, called: ReadonlySet<string>): Promise<void>
  /** Looks at the runs whose time has come, and says how many it is done with. Called again and again. */
  tend(): Promise<number>
}

/** Shorter messages say nothing that lasts. */
const fewestCharacters = 20

export function createObserver({ house, automatic, ask, agents = ['assistant'] }: ObserverParts): Observer {
  const { operator, records, clock, uuid, onProblem } = house
  const actor = { kind: 'gateway', id: 'memory' } as const

  async function look(watched: WatchedRun): Promise<boolean> {
    const { value: claimed } = await records.change(operator, (hand) => claim(hand, watched))
    if (!claimed) return false
    const words = await records.read(operator, (hand) => operatorWords(hand, claimed.run))
    const facts = words.join('').length < fewestCharacters ? [] : await extract(claimed, words)
    if (facts === undefined && claimed.attempts < mostAttempts) return false
    const { value } = await records.change(operator, async (hand) => {
      if (!(await settle(hand, claimed.run))) return false
      if (facts === undefined) tell(hand, claimed, 'memory.not_extracted', { attempts: claimed.attempts })
      else await keep(hand, claimed, facts)
      return true
    })
    return value
  }

  async function extract(
    { run, session }: WatchedRun,
    words: readonly string[],
  ): Promise<ExtractedFact[] | undefined> {
    const request = { operator, run, session, purpose: 'extraction', mostTokens: 1_500 } as const
    try {
      const prompt = extractionPrompt(words)
      const reply = await ask({ ...request, system: extractionSystem, prompt })
      return reply === undefined ? undefined : factsIn(reply, words)
    } catch (problem) {
      onProblem(problem)
      return undefined
    }
  }

  async function keep(hand: Hand, watched: WatchedRun, facts: readonly ExtractedFact[]): Promise<void> {
    const { run, session, label } = watched
    const status = automatic === 'on' && label === null ? 'active' : 'suggested'
    const ids: string[] = []
    for (const { excerpt, ...fact } of facts) {
      // Whatever the operator accepted, corrected or rejected once is not brought up again.
      if ((await equalsOf(hand.records, fact.content, null)).length > 0) continue
      const draft = { ...fact, source: { kind: 'inferred', session, run, excerpt } } as const
      const kept = await keepMemory(hand.records, draft, { uuid, label, status })
      if (kept.kind === 'kept') ids.push(kept.record.id)
    }
    if (ids.length > 0) tell(hand, watched, 'memory.inferred', { ids, status })
  }

  function tell(
    hand: Hand,
    { run, session }: WatchedRun,
    type: string,
    data: Parameters<Hand['record']>[0]['data'],
  ) {
    hand.record({ type, actor, run, session, data })
  }

  return {
    async ended(hand, run, called) {
      if (automatic === 'off' || run.kind !== 'agent' || run.unattended || !agents.includes(run.agent)) return
      // Who just had something forgotten named it to do so.
      if (called.has('forget')) return
      await watch(hand, run.id, run.session_id, doubtIn(run.label))
    },
    async tend() {
      if (automatic === 'off') return 0
      const due = await records.single(operator, (hand) => dueRuns(hand, clock()))
      let done = 0
      for (const watched of due) if (await look(watched)) done += 1
      return done
    },
  }
}

/** What the operator wrote in a run, in order. Words of others, and words that were made from others, are not theirs. */
export async function operatorWords({ db }: Pick<Hand, 'db'>, run: RunId): Promise<string[]> {
  const rows = await db
    .selectFrom('inputs')
    .select(['text', 'requester', 'label', 'work'])
    .where('run_id', '=', run)
    .orderBy('position')
    .execute()
  return rows
    .filter(({ requester, label, work }) => {
      const isOwn = requester.kind === 'operator' && !work?.unattended && !work?.schedule && !work?.parent
      return isOwn && (label === null || label.integrity === 'operator')
    })
    .map(({ text }) => text)
}

function doubtIn(label: Label): Label | null {
  const isDoubtful =
    label.integrity === 'untrusted' || label.integrity === 'paired' || label.confidentiality === 'secret'
  return isDoubtful ? label : null
}
