/**
 * Owns what a run is worth before its first call, in the product as it is installed: what the product itself gathers
 * for the run from the operator's name, goal and memories, and what its composer says of that prompt.
 */
import { composePrompt } from '@countersign/agent'
import { builtInAgents, createContext } from '@countersign/assistant/run-context'
import { joinLabels, type Label, operatorLabel, type Requester } from '@countersign/contract'
import { builtinTools, createCatalogue } from '@countersign/tools'

/** What setup and the first days leave behind. */
export interface InstalledProfile {
  readonly name: string
  readonly goals: readonly string[]
  readonly memories: readonly string[]
}

/** Who begins a task. */
export interface Cause {
  readonly requester: Requester
  /** The id of a built-in agent. */
  readonly agent: string
  /** Of the work that a helper or a plan was given; null where the operator or a schedule speaks. */
  readonly work: Label | null
  /** The operator granted the calls of the plan ahead, to the byte. */
  readonly leased: boolean
}

/** What the words of each are worth, as the gateway takes them in. */
const ofRequester: Readonly<Record<Requester['kind'], Label>> = {
  operator: operatorLabel,
  schedule: operatorLabel,
  peer: { integrity: 'paired', confidentiality: 'private', sources: [] },
  webhook: { integrity: 'untrusted', confidentiality: 'private', sources: ['webhook'] },
}

const ofRecord: Label = { integrity: 'tool', confidentiality: 'private', sources: [] }
const noTime = new Date(0)
const catalogue = createCatalogue(builtinTools)

/** What is alike is composed once. */
export function labelsAtStart(profile: InstalledProfile): (cause: Cause) => Promise<Label> {
  const known = new Map<string, Promise<Label>>()
  return (cause) => {
    const alike = JSON.stringify([cause.requester.kind, cause.agent, cause.work])
    const label = known.get(alike) ?? labelAtStart(profile, cause)
    known.set(alike, label)
    return label
  }
}

async function labelAtStart(profile: InstalledProfile, cause: Cause): Promise<Label> {
  const { requester, agent, work } = cause
  const facts = {
    id: null,
    session: null,
    agent,
    goal: null,
    about: work ? 'the work' : null,
    unattended: false,
  }
  const told = await contextOf(profile, work).gather(facts, agentOf(agent), catalogue)
  return joinLabels(ofRequester[requester.kind], composePrompt(told).label)
}

function agentOf(id: string) {
  const found = builtInAgents.find((agent) => agent.id === id)
  if (!found) throw new Error(`${id} is no built-in agent.`)
  const { kind, settings } = found
  return { ...settings, id, kind, builtIn: true, changed: false, label: null, updatedAt: null }
}

function contextOf({ name, goals, memories }: InstalledProfile, work: Label | null) {
  const found = memories.map((content, index) => ({
    id: `mem_${index}`,
    content,
    type: 'fact' as const,
    importance: 0.5,
    tags: [],
    score: 1,
    createdAt: noTime.toISOString(),
    label: null,
  }))
  const open = goals.map((title, index) => ({
    id: `goal_${index}`,
    title,
    status: 'active',
    label: ofRecord,
  }))
  return createContext({
    ports: {
      profile: () =>
        Promise.resolve({
          profile: { name, facts: [], interests: [], instructions: [] },
          label: null,
          updatedAt: null,
        }),
      newest: () => Promise.resolve({ text: 'What the operator says.', messages: 0 }),
      recall: () => Promise.resolve(found),
      summaries: () => Promise.resolve([]),
      team: () => Promise.resolve(undefined),
      hasPast: () => Promise.resolve(true),
      goal: () => Promise.resolve(undefined),
      goals: () => Promise.resolve(open),
      files: () => Promise.resolve([]),
      learnings: () => Promise.resolve([]),
      about: () => Promise.resolve(work ? { text: 'the work', label: work } : undefined),
    },
    clock: () => noTime,
    zone: 'UTC',
    autonomy: () => 'medium',
    // Nothing here is late.
    wait: (_ms, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    onProblem(problem) {
      throw problem
    },
  })
}
