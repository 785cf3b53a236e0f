/**
 * Owns putting the mind together: what a run is prepared with, what follows from its end, what a tool may ask of the
 * mind, and what goes on by itself. It causes effects only by proposing calls, like any model.
 */
import type { EmbeddingPort, Meter, ModelPort } from '@countersign/agent'
import {
  type AutomaticMemory,
  type Autonomy,
  type BudgetView,
  type MindDesk,
  markUsed,
  type OperatorId,
  type RecalledMemory,
  type RecallQuery,
  type RunId,
  type SetBudget,
  type ToolCatalogue,
  type TriedCall,
} from '@countersign/contract'
import {
  type Account,
  type Actor,
  type AdvanceGrants,
  type AssistantPort,
  type CallMiddleware,
  type InboundMessage,
  type LimitedDb,
  type Migration,
  type RecordTransaction,
  type RunPreparation,
  type RunRow,
} from '@countersign/kernel'
import type { Cause } from '@countersign/tools'
import { createAddress } from './address.ts'
import { agentLimits } from './agents/agent-limits.ts'
import { agentTools } from './agents/agent-tools.ts'
import { createAgents } from './agents/agents.ts'
import { goneAgent } from './agents/gone-agent.ts'
import { inheritedTools, lineageOf } from './agents/lineage.ts'
import { createReset } from './agents/reset.ts'
import { createTeams } from './agents/teams.ts'
import { type Ask, createAsk } from './ask.ts'
import { createChainNames } from './chain-names.ts'
import { type Consequence, follow } from './consequences.ts'
import { createContext, runFacts } from './context/gather.ts'
import { contextPorts } from './context/ports.ts'
import { createPreparation } from './context/prepare.ts'
import { createProfiles } from './context/profile.ts'
import { createExplain } from './explain.ts'
import { createFeed } from './feed/feed.ts'
import { createGoals } from './goals/goals.ts'
import { goalLimits } from './goals/limits.ts'
import type { House } from './hand.ts'
import { createEndings } from './health/endings.ts'
import { createHealthMonitor } from './health/monitor.ts'
import { thresholds } from './health/thresholds.ts'
import {
  createArchive,
  createHistory,
  historyMentions,
  historyMigration,
  searchEpisodes,
  simulation,
  simulationMigration,
} from './history/index.ts'
import { createHold } from './hold.ts'
import { createMemories, createObserver, forgetMemory, workLogMentions } from './memory/index.ts'
import { migration as recallMigration } from './memory/recall/migration.ts'
import { createRecollection } from './memory/recollection.ts'
import { migration as outboxMigration } from './outbox/migration.ts'
import { createOutbox } from './outbox/outbox.ts'
import { createPlans, planAgent } from './plans/index.ts'
import { sayingPort } from './plans/port.ts'
import { type ClockworkOptions, createClockwork } from './schedules/clockwork.ts'
import { scheduleLimits } from './schedules/limits.ts'
import { migration as schedulesMigration } from './schedules/migration.ts'
import { createSchedules } from './schedules/schedules.ts'
import { createTasks } from './tasks/tasks.ts'
import { createBegin } from './work.ts'

export interface AssistantOptions {
  readonly house: House
  /** Already masked: no secret goes there. */
  readonly model: ModelPort
  readonly embeddings: EmbeddingPort
  readonly automaticMemory: AutomaticMemory
  readonly autonomy: () => Autonomy
  readonly watcher: NonNullable<ClockworkOptions['watcher']>
  readonly redact: (text: string) => string
  /** The operator's tools as they are now. */
  readonly tools: () => Promise<ToolCatalogue>
  /** Every tool that there is, switched on or not. */
  readonly toolNames: () => Promise<ReadonlySet<string>>
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** What the mind needs of the kernel, which is opened after it. */
export interface KernelPorts {
  admit(operator: OperatorId, message: InboundMessage): Promise<unknown>
  holdsChanged(operator: OperatorId): Promise<void>
  stopRun(operator: OperatorId, run: RunId, actor: Actor): Promise<unknown>
  grantInAdvance(operator: OperatorId, grants: AdvanceGrants, actor: Actor): Promise<number>
  tryTool(operator: OperatorId, call: { tool: string; args: string }): Promise<readonly TriedCall[]>
  meterFor(operator: OperatorId, account: Partial<Account>): Meter
  readonly budgets: {
    list(operator: OperatorId): Promise<readonly BudgetView[]>
    set(operator: OperatorId, wanted: SetBudget, actor: Actor): Promise<unknown>
    remove(operator: OperatorId, name: string, actor: Actor): Promise<unknown>
  }
}

export type Assistant = ReturnType<typeof createAssistant>

export const assistantMigrations: readonly Migration[] = [
  outboxMigration,
  historyMigration,
  recallMigration,
  schedulesMigration,
  simulationMigration,
]

/** Their memories have no vector yet. */
const remembering = ['remember', 'batch_remember'] as const
const minute = 60_000
const own: Actor = { kind: 'gateway', id: 'assistant' }

export function createAssistant(options: AssistantOptions) {
  const { house, model } = options
  const { operator, records, onProblem } = house
  const opened = Promise.withResolvers<KernelPorts>()
  const timers: NodeJS.Timeout[] = []
  let retry: NodeJS.Timeout | undefined

  const outbox = createOutbox(house)
  const begin = createBegin(house, outbox.post)
  const hold = createHold(async () => (await opened.promise).holdsChanged(operator), onProblem)
  const meterFor = (account: Partial<Account>): Meter => ({
    reserve: async (planned) => (await opened.promise).meterFor(operator, account).reserve(planned),
    settle: async (id, spent) => (await opened.promise).meterFor(operator, account).settle(id, spent),
  })
  const ask: Ask = createAsk({
    model,
    meterFor: ({ run, session }) =>
      meterFor({ unattended: true, run: run ?? null, session: session ?? null }),
  })
  const stopRun = async (run: RunId) => (await opened.promise).stopRun(operator, run, own)

  const recollection = createRecollection({
    house,
    embeddings: options.embeddings,
    meter: meterFor({}),
    backgroundMeter: meterFor({ unattended: true }),
    wait: options.wait,
  })
  const archive = createArchive({
    house,
    summarise: ({ system, text, session }) =>
      ask({ purpose: 'summaries', system, prompt: text, mostTokens: 300, session }),
  })
  const history = createHistory({ house, archive, redact: options.redact })
  const mentions = [historyMentions, workLogMentions]
  const memories = createMemories({
    records,
    uuid: house.uuid,
    recall: (hand, query) => recollection.recall(query, hand),
    mentions,
  })
  const observer = createObserver({ house, automatic: options.automaticMemory, ask })
  const agents = createAgents({ house, toolNames: options.toolNames })
  const teams = createTeams({
    house,
    agents,
    ask: async ({ system, text }) =>
      (await ask({ purpose: 'chat', system, prompt: text, mostTokens: 50 })) ?? '',
  })
  const profiles = createProfiles(house)
  const goals = createGoals({ house, hold, setBudget })
  const tasks = createTasks({ house, post: outbox.post, stopRun, hold })
  const health = createHealthMonitor({ house, tasks, stopRun })
  const plans = createPlans({
    house,
    model,
    begin,
    hold,
    wait: options.wait,
    catalogue: options.tools,
    limits: async () => agentLimits(await agents.get('plan')),
    tryCall: async (call) => (await opened.promise).tryTool(operator, call),
    lease: async (lease, actor) => (await opened.promise).grantInAdvance(operator, lease, actor),
  })
  const feed = createFeed({ house, post: outbox.post })
  const clockwork = createClockwork({
    house,
    post: outbox.post,
    watcher: options.watcher,
    order: async (hand, schedule, session) =>
      (await feed.order(hand, schedule)) ?? (await plans.order(hand, schedule, session)),
    tell: (hand, { name, message, schedule }) => {
      hand.emit({ type: 'notice', about: schedule, text: `The automation “${name}” failed: ${message}` })
      return Promise.resolve()
    },
  })
  const schedules = createSchedules({ house, clockwork })
  const endings = createEndings({
    house,
    tell: async (hand, run, end) => clockwork.ended(hand, run, await plans.ended(hand, run, end)),
  })
  const preparation = createPreparation({
    agent: agentNamed,
    context: createContext({
      ports: contextPorts({ house, profiles, recall: recallForPrompt }),
      clock: house.clock,
      zone: house.zone,
      autonomy: options.autonomy,
      wait: options.wait,
      onProblem,
    }),
  })

  function agentNamed(id: string) {
    return records.single(operator, ({ records: rows }) => agents.find(rows, id))
  }

  /** What a prompt tells counts as used. */
  async function recallForPrompt(query: RecallQuery): Promise<readonly RecalledMemory[]> {
    const found = await recollection.recall(query)
    const ids = found.map(({ id }) => id)
    if (ids.length > 0)
      records.change(operator, ({ records: rows, now }) => markUsed(rows, ids, now)).catch(onProblem)
    return found
  }

  async function setBudget(goal: string, usdPerDay: number | null, actor: Actor): Promise<unknown> {
    const { budgets } = await opened.promise
    if (usdPerDay !== null)
      return budgets.set(
        operator,
        { scope: 'goal', subject: goal, period: 'day', limitUsd: usdPerDay, hard: true },
        actor,
      )
    const known = (await budgets.list(operator)).find(
      (budget) => budget.scope === 'goal' && budget.subject === goal && budget.period === 'day',
    )
    return known && budgets.remove(operator, known.name, actor)
  }

  /** Nobody is asked for money every morning: without a budget for it the digest stands as it is. */
  async function mayWord(run: RunRow): Promise<boolean> {
    if (!run.unattended) return true
    const { budgets } = await opened.promise
    const unattended = (await budgets.list(operator)).filter(({ scope }) => scope === 'unattended')
    return unattended.every(({ limitUsd, extraUsd }) => limitUsd + extraUsd > 0)
  }

  async function prepare(run: RunRow, catalogue: ToolCatalogue): Promise<RunPreparation> {
    if (run.turn === 0) await archive.beforeRun(run).catch(onProblem)
    const inherited = await inheritedTools(run, {
      lineage: (id) => records.single(operator, ({ db }) => lineageOf(db, id)),
      agent: agentNamed,
    })
    const there = inherited(catalogue)
    const given: RunPreparation =
      run.agent === planAgent
        ? await plans.prepare(run, there)
        : await preparation.prepare(runFacts(run), there)
    const prepared = { ...given, restrict: (all: ToolCatalogue) => given.restrict(inherited(all)) }
    if (run.agent !== 'feed' || (await mayWord(run))) return prepared
    return { ...prepared, port: sayingPort('The digest stands.') }
  }

  const mind: AssistantPort = {
    prepare: (_operator, run, catalogue) => prepare(run, catalogue),
    async ended(unit, run, end) {
      let how = end
      const called = await toolsCalled(unit.db, run)
      const consequences: Consequence[] = [
        async (hand) => {
          await tasks.ended(hand, run, end, called.size > 0)
          if (run.agent === 'task' && end.reason === 'error')
            hand.afterCommit(() => later(thresholds.taskRetryMs))
        },
        async (hand) => {
          how = await plans.ended(hand, run, end)
        },
        // By itself: a plan that cannot be read must not leave its time without an end.
        (hand) => clockwork.ended(hand, run, how),
        async (hand) => {
          await observer.ended(hand, run, called)
          if (remembering.some((tool) => called.has(tool))) hand.afterCommit(recollection.wake)
        },
        async (hand) => {
          if (!(await feed.ended(hand, run, end))) return
          const { id, session_id: session } = run
          await archive.archiveIn(hand, { session, before: 'all', reason: 'feed_complete', except: id })
        },
      ]
      await follow(unit, consequences, onProblem)
    },
  }

  function desk(unit: RecordTransaction, cause: Cause | undefined): MindDesk {
    return {
      recall: (query) => recollection.recall(query, unit),
      searchHistory: (query) => searchEpisodes(unit.db, query),
      begin(order) {
        if (!cause) throw new Error('work begins only with a call')
        return begin(unit, order, cause)
      },
      hold: (ids, held) => hold(unit, ids, held),
      schedules: schedules.desk(unit, cause),
      async forget(ids) {
        const actor: Actor = cause ? { kind: 'agent', id: cause.run } : own
        return (await forgetMemory(unit, ids, actor, mentions)).traces
      },
    }
  }

  /** Looks after work, and again when the next task that waits is due. */
  async function inspect(): Promise<void> {
    const { nextRetryAt } = await health.inspect()
    await endings.mend()
    if (nextRetryAt !== null) later(new Date(nextRetryAt).getTime() - house.clock().getTime())
  }

  function later(ms: number): void {
    clearTimeout(retry)
    retry = setTimeout(
      () => {
        inspect().catch(onProblem)
      },
      Math.min(Math.max(ms, 0) + 100, thresholds.inspectEveryMs),
    )
    retry.unref()
  }

  function every(ms: number, work: () => Promise<unknown>): void {
    const timer = setInterval(() => {
      work().catch(onProblem)
    }, ms)
    timer.unref()
    timers.push(timer)
  }

  return {
    mind,
    chainNames: createChainNames(house, agents),
    middleware: [simulation(), goalLimits(), scheduleLimits()] satisfies CallMiddleware[],
    desk,
    /** What an agent sees of a catalogue. */
    async restrict(agent: string, catalogue: ToolCatalogue): Promise<ToolCatalogue> {
      const found = await agentNamed(agent)
      return agentTools(found?.enabled ? found : goneAgent(agent), catalogue).catalogue
    },
    rooms: { agents, teams, profiles, goals, tasks, plans, feed, schedules, memories, history },
    prompt: preparation.show,
    address: createAddress({ house, agents, teams }),
    /** Puts a question about a waiting call to the model. */
    explain: createExplain({ house, model, meterFor }),
    /** Puts the open conversations of an agent away. */
    reset: createReset(house, archive),
    /** Goes on by itself from here on. */
    async start(kernel: KernelPorts): Promise<void> {
      opened.resolve(kernel)
      outbox.open(kernel.admit)
      await agents.load(own)
      await outbox.deliver()
      await clockwork.start()
      recollection.start()
      // What fell silent while nobody was there has ended, and is found from now on.
      archive.sweep(house.clock()).catch(onProblem)
      every(minute / 4, outbox.deliver)
      every(minute, () => archive.sweep(house.clock()))
      every(minute, observer.tend)
      every(thresholds.inspectEveryMs, inspect)
      // What a hold or its end reached too early, or not at all.
      every(thresholds.inspectEveryMs, () => kernel.holdsChanged(operator))
    },
    async close(): Promise<void> {
      for (const timer of timers) clearInterval(timer)
      clearTimeout(retry)
      await clockwork.close()
      await recollection.close()
      await archive.settled()
    },
  }
}

/** The tools that the run called, also by way of another tool. */
async function toolsCalled(
  db: LimitedDb,
  { id, kind, tool_calls: count }: Pick<RunRow, 'id' | 'kind' | 'tool_calls'>,
): Promise<ReadonlySet<string>> {
  if (kind === 'agent' && count === 0) return new Set()
  const rows = await db.selectFrom('calls').select('tool').distinct().where('run_id', '=', id).execute()
  return new Set(rows.map(({ tool }) => tool))
}
