/**
 * Owns what agents have learned, as the operator sees and changes it, and what of it is told. A learning that waits is
 * told to nobody: to accept it is to make its words the operator's own.
 */
import {
  type Agent,
  type AgentLearning,
  type AgentLearningChanged,
  type AgentLearningRemoved,
  type AgentLearningText,
  agentLearningsCollection,
  CountersignError,
  changedEntries,
  entriesWith,
  type GoalEntry,
  isTold,
  keepLearnings,
  learningsOf,
  learningView,
  noteLabel,
  operatorLabel,
  type Records,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import type { AssistantContext, AssistantTransaction } from '../assistant-context.ts'
import type { PromptItem } from '../context/composer.ts'

export interface AgentLearnings {
  /** The newest first. */
  list(ref: string): Promise<AgentLearning[]>
  add(by: Actor, ref: string, learning: AgentLearningText): Promise<AgentLearningChanged>
  /** With the words that it has, it is accepted. */
  set(by: Actor, ref: string, entry: string, learning: AgentLearningText): Promise<AgentLearningChanged>
  remove(by: Actor, ref: string, entry: string): Promise<AgentLearningRemoved>
}

export interface AgentLearningsParts {
  readonly context: Pick<AssistantContext, 'operator' | 'records' | 'uuid'>
  /** By id, else by name. */
  readonly agents: { named(records: Records, ref: string): Promise<Agent> }
}

export function createAgentLearnings({ context, agents }: AgentLearningsParts): AgentLearnings {
  const { operator, records: port, uuid } = context

  /** Changes the learnings of an agent in one transaction; the entry that it is about comes back. */
  async function change(
    { by, ref, act }: { readonly by: Actor; readonly ref: string; readonly act: string },
    work: (learnings: readonly GoalEntry[], now: Date) => { left: readonly GoalEntry[]; entry: GoalEntry },
  ) {
    return port.change(operator, async (tx: AssistantTransaction) => {
      const agent = await agents.named(tx.records, ref)
      const { record, learnings } = await learningsOf(tx.records, agent.id)
      const { left, entry } = work(learnings, tx.now)
      await keepLearnings(tx.records, agent.id, record, { learnings: left, label: record?.label ?? null })
      const data = { agent: agent.id, name: agent.name, entry: entry.id }
      tx.record({ type: `agent.learning_${act}`, actor: by, data })
      return entry
    })
  }

  return {
    list: (ref) =>
      port.read(operator, async ({ records }) => {
        const { id } = await agents.named(records, ref)
        return (await learningsOf(records, id)).learnings.toReversed().map(learningView)
      }),
    async add(by, ref, { text }) {
      const { value, ledger } = await change({ by, ref, act: 'added' }, (learnings, now) => {
        const id = `entry_${uuid().replaceAll('-', '')}`
        const entry: GoalEntry = { id, text, at: now.toISOString(), by: operatorName, label: null }
        return { left: entriesWith(learnings, entry), entry }
      })
      return { learning: learningView(value), ledger }
    },
    async set(by, ref, id, { text }) {
      const { value, ledger } = await change({ by, ref, act: 'changed' }, (learnings) => {
        const left = changedEntries(learnings, id, { text, by: operatorName, label: null })
        const entry = left?.find((each) => each.id === id)
        if (!left || !entry) throw missing(id, ref)
        return { left, entry }
      })
      return { learning: learningView(value), ledger }
    },
    async remove(by, ref, id) {
      const { ledger } = await change({ by, ref, act: 'removed' }, (learnings) => {
        const entry = learnings.find((each) => each.id === id)
        const left = changedEntries(learnings, id, null)
        if (!left || !entry) throw missing(id, ref)
        return { left, entry }
      })
      return { id, ledger }
    },
  }
}

/** The newest first. The operator's own are their words; what the agent wrote is what it found. */
export async function learningsForPrompt(records: Records, agent: string): Promise<PromptItem[]> {
  const { learnings } = await learningsOf(records, agent)
  return learnings
    .filter(isTold)
    .toReversed()
    .map(({ text, by }) => ({ text, label: by === operatorName ? operatorLabel : noteLabel }))
}

/** They go with their agent. */
export async function dropLearnings(records: Records, agent: string): Promise<void> {
  const record = await records.get(agentLearningsCollection, agent)
  if (record) await records.remove(agentLearningsCollection, agent, record.version)
}

const operatorName = 'operator'

function missing(entry: string, agent: string): CountersignError {
  return new CountersignError('not_found', `There is no learning ${entry} of this agent.`, {
    next: `See them with \`countersign agent learnings ${agent}\`.`,
  })
}
