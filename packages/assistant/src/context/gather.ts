/**
 * Owns what a run is told before its first word: asked of narrow ports, all at once. A port that fails or takes too
 * long leaves its part out and is reported; no run waits or fails for it.
 */
import { promptLimits } from '@countersign/agent'
import {
  type AgentKind,
  Autonomy,
  type InstalledExtensions,
  type Label,
  operatorLabel,
  type ProfileView,
  type RecalledMemory,
  type RecallQuery,
  type RunId,
  type SessionId,
  type ToolCatalogue,
  usualConversations,
} from '@countersign/contract'
import type { RunRow } from '@countersign/kernel'
import type { KnownAgent } from '../agents/agents.ts'
import type {
  FileItem,
  GoalContext,
  GoalLine,
  MemoryItem,
  PromptContext,
  PromptItem,
  SummaryItem,
  TeamContext,
} from './composer.ts'
import { keptLabel, named } from './outside.ts'
import { pluginsToldTo } from './told-plugins.ts'
import { skillsToldTo } from './told-skills.ts'
import { toolParts } from './tool-parts.ts'

/** What of a run decides on what it is told. */
export interface RunFacts {
  readonly id: RunId | null
  readonly session: SessionId | null
  readonly agent: string
  readonly goal: string | null
  readonly about: string | null
  readonly unattended: boolean
  /** The team that the agent answers for. */
  readonly team?: string | null
  /** The message that it would answer, where there is no run yet. */
  readonly words?: string
}

export interface NewestWords {
  readonly text: string
  readonly messages: number
  /** The end of what was said before, on both sides. */
  readonly before?: string
}

export interface ContextPorts {
  profile(): Promise<ProfileView>
  /** The newest words that the run is to answer, and how many messages there were before. */
  newest(run: RunFacts): Promise<NewestWords | undefined>
  /** Whether a conversation has ended that could be searched. */
  hasPast(): Promise<boolean>
  recall(query: RecallQuery): Promise<readonly RecalledMemory[]>
  /** Of conversations that ended before, with this agent or on this goal, the newest first. */
  summaries(run: RunFacts, limit: number): Promise<readonly SummaryItem[]>
  /** With steps, notes and learnings, the most important first. */
  goal(id: string): Promise<GoalContext | undefined>
  /** Those that are not done, the most important first. */
  goals(limit: number): Promise<readonly GoalLine[]>
  /** What everybody of a team is told; nothing where the team is gone or says nothing. */
  team(id: string): Promise<TeamContext | undefined>
  /** Files of the workspace that the operator accepted; of an agent with a folder of its own, those in it. */
  files(folder: string | undefined): Promise<readonly FileItem[]>
  /** What the agent itself has learned and may be told, the newest first. */
  learnings(agent: string): Promise<readonly PromptItem[]>
  /** What the record says that the run is done for. */
  about(id: string): Promise<PromptItem | undefined>
}

export interface ContextParts {
  readonly ports: ContextPorts
  readonly clock: () => Date
  readonly zone: string
  /** What the policy says. */
  readonly autonomy: () => Autonomy
  /** Where the agent is told that the workspace lies; left out, it is told only that there is one. */
  readonly workspace?: string
  /** What was let in, as the executor says. */
  readonly extensions?: () => InstalledExtensions
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly onProblem: (problem: unknown) => void
  readonly patienceMs?: number
  /** How many summaries of earlier conversations are told. */
  readonly summaries?: number
}

export interface RunContext {
  gather(run: RunFacts, agent: KnownAgent, catalogue: ToolCatalogue): Promise<PromptContext>
}

type ContextPart =
  | 'profile'
  | 'instructions'
  | 'files'
  | 'learnings'
  | 'goal'
  | 'goals'
  | 'summaries'
  | 'memories'
  | 'about'

/**
 * What is asked for each kind. Who does one thing knows of one thing, and who may be asked anything is told nothing
 * private beforehand: what is in a prompt counts for all that the run does.
 */
const askedFor: Readonly<Record<AgentKind, readonly ContextPart[]>> = {
  user: ['instructions', 'files', 'learnings', 'goal'],
  goal: ['profile', 'instructions', 'files', 'goal', 'summaries', 'memories'],
  task: ['instructions', 'files', 'goal', 'about'],
  plan: ['instructions', 'goal', 'about'],
  feed: ['profile', 'instructions', 'goals', 'summaries'],
  // Others read what it writes.
  guest: [],
  custom: ['instructions', 'files', 'learnings', 'goal'],
}

/** These are told little and ask for the rest. */
const learns: readonly AgentKind[] = ['user', 'custom']

/** Of the goal, these are told its description and no more. */
const onlyDescribed: readonly AgentKind[] = ['task', 'plan']

const usualPatienceMs = 2_000
const longestQuery = 1_000
/** Characters of a message that may lean on what was said before. */
const fewWords = 80

const ownLabel: Label = { ...operatorLabel, confidentiality: 'private' }

/** By which an agent that is told nothing beforehand learns it. */
const knowing: readonly string[] = ['about_operator', 'recall', 'list_goals', 'search_agent_history']

export function createContext(parts: ContextParts): RunContext {
  const { ports, clock, zone, onProblem } = parts
  const patienceMs = parts.patienceMs ?? usualPatienceMs
  const mostSummaries = parts.summaries ?? usualConversations.summaries

  /** What comes in time. */
  async function inTime<T>(
    what: string,
    answer: Promise<T>,
    late: Promise<{ readonly kind: 'late' }>,
  ): Promise<T | undefined> {
    try {
      const first = await Promise.race([answer.then((value) => ({ kind: 'came' as const, value })), late])
      if (first.kind === 'came') return first.value
      onProblem(new Error(`${what} took longer than ${patienceMs} ms, so the prompt is without it.`))
    } catch (cause) {
      onProblem(new Error(`${what} could not be had, so the prompt is without it.`, { cause }))
    }
    // What comes too late must not end the process.
    answer.catch(() => undefined)
    return undefined
  }

  return {
    async gather(run, agent, catalogue) {
      const leftOut: readonly string[] = agent.leaveOut ?? []
      const asks = new Set(askedFor[agent.kind].filter((part) => !leftOut.includes(part)))
      // All parts are asked for at once, so they are late at once.
      const over = new AbortController()
      const isLate = () => ({ kind: 'late' as const })
      const late = parts.wait(patienceMs, over.signal).then(isLate, isLate)
      const may = <T>(part: ContextPart, ask: () => Promise<T>, wanted = true): Promise<T | undefined> =>
        asks.has(part) && wanted ? inTime(part, started(ask), late) : Promise.resolve(undefined)
      const newest = started(() => ports.newest(run))
      const has = agent.kind === 'plan' ? {} : toolParts(catalogue, parts.workspace, agent.folder)
      const [view, goal, goals, summaries, memories, about, words, past, team, files, learnings] =
        await Promise.all([
          inTime(
            'profile',
            started(() => ports.profile()),
            late,
          ),
          may('goal', () => ports.goal(run.goal ?? ''), run.goal !== null),
          may('goals', () => ports.goals(promptLimits.goals)),
          may(
            'summaries',
            () => ports.summaries(run, mostSummaries),
            mostSummaries > 0 && (agent.conversational || agent.kind === 'feed'),
          ),
          may('memories', async () => {
            return recallFor(ports, await newest, run.goal)
          }),
          may('about', () => ports.about(run.about ?? ''), run.about !== null),
          inTime('the conversation', newest, late),
          learns.includes(agent.kind)
            ? inTime(
                'the past',
                started(() => ports.hasPast()),
                late,
              )
            : undefined,
          run.team
            ? inTime(
                'the team',
                started(() => ports.team(run.team ?? '')),
                late,
              )
            : undefined,
          // Who cannot read files has no use for what they say.
          may('files', () => ports.files(agent.folder), has.workspace !== undefined),
          may('learnings', () => ports.learnings(agent.id)),
        ])
      over.abort()
      const { profile, instructions } = profileParts(view, asks)
      return {
        base: { text: agent.systemPrompt, label: agent.label ?? operatorLabel },
        ...(profile ? { profile } : {}),
        ...(instructions.length > 0 ? { instructions } : {}),
        ...(team ? { team } : {}),
        ...(learns.includes(agent.kind) ? { known: knownIn(catalogue, past ?? false) } : {}),
        ...has,
        ...skillsToldTo(agent.kind, catalogue, parts.extensions),
        ...pluginsToldTo(agent.kind, parts.extensions),
        ...(files && files.length > 0 ? { files } : {}),
        ...(learnings && learnings.length > 0 ? { learnings } : {}),
        autonomy: {
          level: lower(parts.autonomy(), view?.profile.autonomy),
          unattended: run.unattended,
        },
        time: { now: clock(), zone },
        conversation: {
          ...(words ? { messages: words.messages } : {}),
          ...(about ? { task: about } : {}),
          ...(goal ? { goal: goalFor(agent.kind, goal) } : {}),
          ...(goals ? { goals: goals.filter(({ id }) => id !== goal?.id).map(named.goal) } : {}),
          ...(summaries ? { summaries: summaries.map(named.summary) } : {}),
          ...(memories ? { memories: memories.map(memoryOf) } : {}),
        },
      }
    },
  }
}

export function runFacts(
  row: Pick<RunRow, 'id' | 'session_id' | 'agent' | 'goal' | 'about' | 'unattended' | 'team'>,
): RunFacts {
  const { id, session_id: session, agent, goal, about, unattended, team } = row
  return { id, session, agent, goal, about, unattended, team }
}

/** Nobody is told of a search in a past that there is not. */
function knownIn(catalogue: ToolCatalogue, hasPast: boolean): string[] {
  return knowing.filter((name) => catalogue.find(name) && (hasPast || name !== 'search_agent_history'))
}

/**
 * What fits the newest words. Those that say little by themselves, such as “and hers?”, are looked for again with what was
 * said before; what they find alone comes first.
 */
async function recallFor(
  ports: Pick<ContextPorts, 'recall'>,
  newest: NewestWords | undefined,
  goal: string | null,
): Promise<readonly RecalledMemory[]> {
  const text = newest?.text.trim().slice(0, longestQuery).toWellFormed() ?? ''
  if (text === '') return []
  const limit = promptLimits.memories
  const before = newest?.before?.trim() ?? ''
  if (before === '' || text.length > fewWords) return ports.recall({ text, goal, limit })
  const together = `${before}\n${text}`.slice(-longestQuery).toWellFormed()
  const [alone, also] = await Promise.all([
    ports.recall({ text, goal, limit: Math.ceil(limit / 2) }),
    ports.recall({ text: together, goal, limit }),
  ])
  return [...new Map([...alone, ...also].map((memory) => [memory.id, memory])).values()].slice(0, limit)
}

/** A port that throws at once fails like one that throws later. */
function started<T>(ask: () => Promise<T>): Promise<T> {
  return Promise.resolve().then(ask)
}

function profileParts(view: ProfileView | undefined, asks: ReadonlySet<ContextPart>) {
  if (!view) return { profile: undefined, instructions: [] }
  const label = view.label ?? ownLabel
  const { name, facts, communicationStyle, interests, preferences = [], instructions } = view.profile
  // Told in every prompt, as the screen says where they are written: the operator keeps what is private out of them.
  const style =
    asks.has('profile') || communicationStyle === undefined ? [] : [`Style: ${communicationStyle}`]
  const always = [...style, ...instructions]
  const said =
    name !== undefined ||
    communicationStyle !== undefined ||
    [...facts, ...interests, ...preferences].length > 0
  return {
    profile:
      asks.has('profile') && said
        ? {
            ...(name === undefined ? {} : { name }),
            ...(communicationStyle === undefined ? {} : { communicationStyle }),
            facts,
            interests,
            preferences,
            label,
          }
        : undefined,
    instructions: asks.has('instructions')
      ? always.map((text) => ({ text, label: view.label ?? operatorLabel }))
      : [],
  }
}

function goalFor(kind: AgentKind, goal: GoalContext): GoalContext {
  if (onlyDescribed.includes(kind)) return { ...goal, steps: [], notes: [], learnings: [] }
  return { ...goal, notes: goal.notes.map(named.note), learnings: goal.learnings.map(named.note) }
}

/** What was found for the message is told as it is, with what it is worth. */
function memoryOf({ id, type, content, label }: RecalledMemory): MemoryItem {
  return { id, type, text: content, label: label ?? keptLabel }
}

/** What the operator says of themselves can make an agent more careful, never less. */
function lower(policy: Autonomy, wish: Autonomy | undefined): Autonomy {
  if (wish === undefined) return policy
  const order = Autonomy.options
  return order.indexOf(wish) < order.indexOf(policy) ? wish : policy
}
