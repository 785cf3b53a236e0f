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
import type { AssistantContext, AssistantTransaction } from '../assistant-context.ts'
import { type ExtractedFact, extractionPrompt, extractionSystem, factsIn } from './extraction.ts'
import { claim, dropWatchedRun, dueRuns, mostAttempts, type WatchedRun, watch } from './watched-runs.ts'

export interface ExtractionRequest {
  readonly operator: OperatorId
  readonly purpose: 'extraction'
  readonly system: string
  readonly prompt: string
  readonly mostTokens: number
  readonly inBackground: true
  /** Whose words they are, for the books. */
  readonly run: RunId
  readonly session: SessionId
}

/** Asks a model. Nothing when it cannot answer now. */
export type AskModel = (request: ExtractionRequest) => Promise<string | undefined>

export interface ObserverParts {
  readonly context: AssistantContext
  readonly automatic: AutomaticMemory
  readonly ask: AskModel
  /** The agents whose conversations are looked at. */
  readonly agents?: readonly string[]
}

export type EndedRun = Pick<RunRow, 'id' | 'session_id' | 'kind' | 'agent' | 'unattended' | 'label'>

export interface Observer {
  /** In the transaction that ends the run; with the tools that it called. */
  ended(tx: AssistantTransaction, run: EndedRun, called: ReadonlySet<string>): Promise<void>
  /** Looks at the runs whose time has come, and says how many it is done with. Called again and again. */
  tend(): Promise<number>
}

/** Shorter messages say nothing that lasts. */
const fewestCharacters = 20

export function createObserver({ context, automatic, ask, agents = ['assistant'] }: ObserverParts): Observer {
  const { operator, records, clock, uuid, onProblem } = context
  const actor = { kind: 'gateway', id: 'memory' } as const

  async function look(watched: WatchedRun): Promise<boolean> {
    const { value: claimed } = await records.change(operator, (tx) => claim(tx, watched))
    if (!claimed) return false
    const words = await records.read(operator, (tx) => operatorWords(tx, claimed.run))
    const facts = words.join('').length < fewestCharacters ? [] : await extract(claimed, words)
    if (facts === undefined && claimed.attempts < mostAttempts) return false
    const { value } = await records.change(operator, async (tx) => {
      if (!(await dropWatchedRun(tx, claimed.run))) return false
      if (facts === undefined) tell(tx, claimed, 'memory.not_extracted', { attempts: claimed.attempts })
      else await keep(tx, claimed, facts)
      return true
    })
    return value
  }

  async function extract(
    { run, session }: WatchedRun,
    words: readonly string[],
  ): Promise<ExtractedFact[] | undefined> {
    const books = { operator, run, session, purpose: 'extraction' } as const
    try {
      const prompt = extractionPrompt(words)
      const question = { system: extractionSystem, prompt, mostTokens: 1_500, inBackground: true } as const
      const reply = await ask({ ...books, ...question })
      return reply === undefined ? undefined : factsIn(reply, words)
    } catch (problem) {
      onProblem(problem)
      return undefined
    }
  }

  async function keep(
    tx: AssistantTransaction,
    watched: WatchedRun,
    facts: readonly ExtractedFact[],
  ): Promise<void> {
    const { run, session, label } = watched
    const status = automatic === 'on' && label === null ? 'active' : 'suggested'
    const ids: string[] = []
    for (const { excerpt, ...fact } of facts) {
      // Whatever the operator accepted, corrected or rejected once is not brought up again.
      if ((await equalsOf(tx.records, fact.content, null)).length > 0) continue
      const draft = { ...fact, source: { kind: 'inferred', session, run, excerpt } } as const
      const kept = await keepMemory(tx.records, draft, { uuid, label, status })
      if (kept.kind === 'kept') ids.push(kept.record.id)
    }
    if (ids.length > 0) tell(tx, watched, 'memory.inferred', { ids, status })
  }

  function tell(
    tx: AssistantTransaction,
    { run, session }: WatchedRun,
    type: string,
    data: Parameters<AssistantTransaction['record']>[0]['data'],
  ) {
    tx.record({ type, actor, run, session, data })
  }

  return {
    async ended(tx, run, called) {
      if (automatic === 'off' || run.kind !== 'agent' || run.unattended || !agents.includes(run.agent)) return
      // Who just had something forgotten named it to do so.
      if (called.has('forget')) return
      await watch(tx, run.id, run.session_id, doubtIn(run.label))
    },
    async tend() {
      if (automatic === 'off') return 0
      const due = await records.single(operator, (tx) => dueRuns(tx, clock()))
      let done = 0
      for (const watched of due) if (await look(watched)) done += 1
      return done
    },
  }
}

/** What the operator wrote in a run, in order. Words of others, and words that were made from others, are not theirs. */
export async function operatorWords({ db }: Pick<AssistantTransaction, 'db'>, run: RunId): Promise<string[]> {
  const rows = await db
    .selectFrom('inputs')
    .innerJoin('sessions', 'sessions.id', 'inputs.session_id')
    .select(['text', 'requester', 'inputs.label', 'inputs.work'])
    .where('run_id', '=', run)
    // Nothing of a private conversation is remembered.
    .where('sessions.private', '=', false)
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
