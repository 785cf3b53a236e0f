/**
 * Puts the assistant together: what a run is prepared with, what follows from its end, what a tool may ask of
 * it, and what goes on by itself. It causes effects only by proposing calls, like any model.
 */
import { type EmbeddingPort, type MediaPort, type Meter, type ModelPort, workOut } from '@countersign/agent'
import {
  type AssistantServices,
  type AutomaticMemory,
  type Autonomy,
  type BudgetView,
  type ChatServices,
  type EmbedTexts,
  type HealthInspection,
  type InstalledExtensions,
  markUsed,
  noAssistantServices,
  type OperatorId,
  type RecalledMemory,
  type RecallQuery,
  type RunId,
  type RunWork,
  type SessionId,
  type SetBudget,
  type ToolCatalogue,
  type TriedCall,
  type WorkOnMedia,
  type WorkOut,
} from '@countersign/contract'
import {
  type Account,
  type Actor,
  type AdvanceGrants,
  type AssistantPort,
  type CallMiddleware,
  type InboundMessage,
  type Migration,
  originsOfRun,
  type RecordTransaction,
  type RunPreparation,
  type RunRow,
  worthOf,
} from '@countersign/kernel'
import type { CallCause } from '@countersign/tools'
import { createAddress } from './addressee.ts'
import { agentFolders } from './agents/agent-folder.ts'
import { agentLimits } from './agents/agent-limits.ts'
import { agentTools, withoutTraces } from './agents/agent-tools.ts'
import { createAgents } from './agents/agents.ts'
import { createAnswering } from './agents/answering.ts'
import { begunSchedules } from './agents/begun-schedules.ts'
import { extraToolsOf } from './agents/extra-tools.ts'
import { goneAgent } from './agents/gone-agent.ts'
import { createAgentLearnings } from './agents/learnings.ts'
import { inheritedTools, lineageOf } from './agents/lineage.ts'
import { createReset } from './agents/reset.ts'
import { createTeams } from './agents/teams.ts'
import { type AskQuestion, createAsk } from './ask-model.ts'
import type { AssistantContext } from './assistant-context.ts'
import { createBegin } from './begin-work.ts'
import { calendarSyncMigration, createCalendarSync } from './calendar-sync/index.ts'
import { createChainNames } from './chain-names.ts'
import { type Consequence, follow } from './consequences.ts'
import {
  contentMigration,
  createContent,
  createContentSearch,
  createMailIndex,
  searchedMailMigration,
  type WorkspaceTexts,
} from './content/index.ts'
import { createContext, runFacts } from './context/gather.ts'
import { contextPorts } from './context/ports.ts'
import { createPreparation } from './context/prepare.ts'
import { createProfiles, profileIn } from './context/profile.ts'
import { createExplain } from './explain.ts'
import { createFeed } from './feed/feed.ts'
import { createCheckIns } from './goals/check-ins.ts'
import { createGoals } from './goals/goals.ts'
import { goalLimits } from './goals/limits.ts'
import { createMissedEndings } from './health/missed-endings.ts'
import { createHealthMonitor } from './health/monitor.ts'
import { thresholds } from './health/thresholds.ts'
import {
  createArchive,
  createHistory,
  createPrivateConversations,
  historyMentions,
  historyMigration,
  searchEpisodes,
  simulation,
  simulationMigration,
} from './history/index.ts'
import { createHold } from './hold-work.ts'
import { createMemories, createObserver, forgetMemory, workLogMentions } from './memory/index.ts'
import { recallMigration } from './memory/recall/migration.ts'
import { createRecollection } from './memory/recollection.ts'
import { outboxMigration } from './outbox/migration.ts'
import { createOutbox } from './outbox/outbox.ts'
import { createPlans, planAgent } from './plans/index.ts'
import { sayingPort } from './plans/port.ts'
import { prepareReader } from './reader/prepare.ts'
import { remindersMigration } from './reminders/migration.ts'
import { createReminders } from './reminders/reminders.ts'
import { scheduleLimits } from './schedules/limits.ts'
import { schedulesMigration } from './schedules/migration.ts'
import { createNewMail } from './schedules/new-mail/new-mail.ts'
import { createScheduler, type SchedulerOptions } from './schedules/scheduler.ts'
import { createSchedules } from './schedules/schedules.ts'
import type { CallServer } from './server-calls.ts'
import { createTasks } from './tasks/tasks.ts'
import { createToldFiles } from './told-files/told-files.ts'

export interface AssistantOptions {
  readonly context: AssistantContext
  /** Already masked: no secret goes there. */
  readonly model: ModelPort
  readonly embeddings: EmbeddingPort
  /** What is searched of the workspace. */
  readonly files: WorkspaceTexts
  /** Already masked, like the model. */
  readonly media: MediaPort
  readonly automaticMemory: AutomaticMemory
  /** Silence after which a conversation is put away (default: half an hour). */
  readonly silenceMs?: number
  /** How many summaries of earlier conversations a prompt holds at most. */
  readonly summaries?: number
  readonly autonomy: () => Autonomy
  /** What was let in from outside, as the executor says. */
  readonly extensions?: () => InstalledExtensions
  /** Left out, nobody can be written to. */
  readonly chats?: (tx: RecordTransaction) => ChatServices
  readonly watcher: NonNullable<SchedulerOptions['watcher']>
  readonly redact: (text: string) => string
  /** The operator's tools as they are now. */
  readonly tools: () => Promise<ToolCatalogue>
  /** Every tool that there is, switched on or not. */
  readonly toolNames: () => Promise<ReadonlySet<string>>
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** What was kept in memory of the model requests of these runs is dropped. */
  readonly forgetRequests: (runs: readonly RunId[]) => void
}

/** What the assistant needs of the kernel, which is opened after it. */
export interface KernelPorts {
  admit(operator: OperatorId, message: InboundMessage): Promise<unknown>
  holdsChanged(operator: OperatorId): Promise<void>
  stopRun(operator: OperatorId, run: RunId, actor: Actor): Promise<unknown>
  /** Whether no other gateway works on the same database. */
  isAlone(): Promise<boolean>
  grantInAdvance(operator: OperatorId, grants: AdvanceGrants, actor: Actor): Promise<number>
  tryTool(operator: OperatorId, call: { tool: string; args: string }): Promise<readonly TriedCall[]>
  meterFor(operator: OperatorId, account: Partial<Account>): Meter
  readonly callTool: CallServer
  readonly budgets: {
    list(operator: OperatorId): Promise<readonly BudgetView[]>
    set(operator: OperatorId, wanted: SetBudget, actor: Actor): Promise<unknown>
    remove(operator: OperatorId, name: string, actor: Actor): Promise<unknown>
  }
}

/** The run that asks, by the permit of its call and by its own row. */
export type MediaCause = Pick<CallCause, 'run' | 'session' | 'agent'> & RunWork

export type Assistant = ReturnType<typeof createAssistant>

export const assistantMigrations: readonly Migration[] = [
  outboxMigration,
  historyMigration,
  recallMigration,
  schedulesMigration,
  remindersMigration,
  simulationMigration,
  contentMigration,
  calendarSyncMigration,
  searchedMailMigration,
]

/** Their memories have no vector yet. */
const remembering = ['remember', 'batch_remember'] as const
/** No other tool makes tasks of agents. */
const beginning = ['start_agent_task'] as const
const minute = 60_000
const own: Actor = { kind: 'gateway', id: 'assistant' }

export function createAssistant(options: AssistantOptions) {
  const { context, model } = options
  const { operator, records, onProblem } = context
  const opened = Promise.withResolvers<KernelPorts>()
  const timers: NodeJS.Timeout[] = []
  let retry: NodeJS.Timeout | undefined

  const outbox = createOutbox(context)
  const begin = createBegin(context, outbox.post)
  const hold = createHold(async () => (await opened.promise).holdsChanged(operator), onProblem)
  const meterFor = (account: Partial<Account>): Meter => ({
    reserve: async (planned) => (await opened.promise).meterFor(operator, account).reserve(planned),
    settle: async (id, spent) => (await opened.promise).meterFor(operator, account).settle(id, spent),
  })
  const ask: AskQuestion = createAsk({
    model,
    meterFor: ({ run, session }) =>
      meterFor({ unattended: true, run: run ?? null, session: session ?? null }),
  })
  const stopRun = async (run: RunId) => (await opened.promise).stopRun(operator, run, own)

  const recollection = createRecollection({
    context,
    embeddings: options.embeddings,
    meter: meterFor({}),
    backgroundMeter: meterFor({ unattended: true }),
    wait: options.wait,
  })
  const callServer: CallServer = async (...call) => (await opened.promise).callTool(...call)
  const serverCalls = { context, stopRun, wait: options.wait, call: callServer }
  const mailIndex = createMailIndex({ ...serverCalls, wake: () => content.wake() })
  const content = createContent({
    context,
    embeddings: options.embeddings,
    backgroundMeter: meterFor({ unattended: true }),
    files: options.files,
    redact: options.redact,
    lookAtMail: () => void mailIndex.beat().catch(onProblem),
    wait: options.wait,
  })
  const search = createContentSearch({ context, content, meter: meterFor({}) })
  const archive = createArchive({
    context,
    ...(options.silenceMs === undefined ? {} : { silenceMs: options.silenceMs }),
    summarise: ({ system, text, session }) =>
      ask({ purpose: 'summaries', system, prompt: text, mostTokens: 300, session, inBackground: true }),
  })
  const privates = createPrivateConversations({ context, stopRun, forgetRequests: options.forgetRequests })
  const history = createHistory({
    context,
    archive,
    privates,
    redact: options.redact,
    toolNames: options.toolNames,
  })
  const mentions = [historyMentions, workLogMentions]
  const memories = createMemories({
    records,
    uuid: context.uuid,
    recall: (tx, query) => recollection.recall(query, tx),
    mentions,
  })
  const observer = createObserver({ context, automatic: options.automaticMemory, ask })
  const agents = createAgents({ context, toolNames: options.toolNames })
  const teams = createTeams({
    context,
    agents,
    ask: async ({ system, text }) =>
      (await ask({ purpose: 'chat', system, prompt: text, mostTokens: 50 })) ?? '',
  })
  const answering = createAnswering({ context, agents, teams })
  const profiles = createProfiles(context)
  const toldFiles = createToldFiles({
    context,
    files: options.files,
    worth: (paths) => records.shared(operator, ({ db }) => worthOf(db, paths)),
  })
  const goals = createGoals({ context, hold, setBudget })
  const tasks = createTasks({ context, post: outbox.post, stopRun, hold })
  const checkIns = createCheckIns({ context, post: outbox.post })
  const health = createHealthMonitor({ context, tasks, stopRun })
  const plans = createPlans({
    context,
    model,
    begin,
    hold,
    wait: options.wait,
    catalogue: options.tools,
    limits: async () => agentLimits(await agents.get('plan')),
    tryCall: async (call) => (await opened.promise).tryTool(operator, call),
    lease: async (lease, actor) => (await opened.promise).grantInAdvance(operator, lease, actor),
  })
  const feed = createFeed({ context, post: outbox.post })
  const scheduler = createScheduler({
    context,
    post: outbox.post,
    watcher: options.watcher,
    order: async (tx, schedule, session) =>
      (await feed.order(tx, schedule)) ?? (await plans.order(tx, schedule, session)),
    tell: (tx, { name, message, schedule }) => {
      tx.emit({ type: 'notice', about: schedule, text: `The automation “${name}” failed: ${message}` })
      return Promise.resolve()
    },
  })
  const newMail = createNewMail({ ...serverCalls, scheduler })
  const schedules = createSchedules({ context, scheduler: { fire: scheduler.fire, nudge: newMail.nudge } })
  const reminders = createReminders(context)
  const calendarSync = createCalendarSync(serverCalls)
  const endings = createMissedEndings({
    context,
    tell: async (tx, run, end) => scheduler.ended(tx, run, await plans.ended(tx, run, end)),
  })
  const preparation = createPreparation({
    agent: agentNamed,
    extraTools: extraToolsIn,
    context: createContext({
      ports: contextPorts({ context, teams, toldFiles, recall: recallForPrompt }),
      clock: context.clock,
      zone: context.zone,
      autonomy: options.autonomy,
      ...toldAs(options),
      wait: options.wait,
      onProblem,
    }),
  })

  function agentNamed(id: string) {
    return records.shared(operator, ({ records: rows }) => agents.find(rows, id))
  }

  function extraToolsIn(session: SessionId | null) {
    return records.shared(operator, ({ db }) => extraToolsOf(db, session))
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
    if (run.answers !== null) return prepareReader(catalogue, context.clock())
    if (run.turn === 0) {
      await archive.beforeRun(run).catch(onProblem)
      await checkIns.begun(run).catch(onProblem)
    }
    const inherited = await inheritedTools(run, {
      lineage: (id) => records.shared(operator, ({ db }) => lineageOf(db, id)),
      agent: agentNamed,
    })
    const isPrivate = await privates.has(operator, run.session_id)
    const may = (all: ToolCatalogue) => (isPrivate ? withoutTraces(inherited(all)) : inherited(all))
    const there = may(catalogue)
    const given: RunPreparation =
      run.agent === planAgent
        ? await plans.prepare(run, there)
        : await preparation.prepare(runFacts(run), there)
    const prepared = { ...given, restrict: (all: ToolCatalogue) => given.restrict(may(all)) }
    if (run.agent !== 'feed' || (await mayWord(run))) return prepared
    return { ...prepared, port: sayingPort('The digest stands.') }
  }

  const port: AssistantPort = {
    prepare: (_operator, run, catalogue) => prepare(run, catalogue),
    async ended(unit, run, end, called) {
      let how = end
      const calledOne = (tools: readonly string[]) => tools.some((tool) => called.has(tool))
      const consequences: Consequence[] = [
        async (tx) => {
          await tasks.ended(tx, run, end, calledOne(beginning))
          if (run.agent === 'task' && end.reason === 'error')
            tx.afterCommit(() => later(thresholds.taskRetryMs))
        },
        (tx) => checkIns.taskEnded(tx, run),
        async (tx) => {
          how = await plans.ended(tx, run, end)
        },
        // By itself: a plan that cannot be read must not leave its time without an end.
        (tx) => scheduler.ended(tx, run, how),
        async (tx) => {
          await observer.ended(tx, run, called)
          if (calledOne(remembering)) tx.afterCommit(recollection.wake)
        },
        (tx) => Promise.resolve(tx.afterCommit(content.wake)),
        (tx) => Promise.resolve(calendarSync.ended(tx, called)),
        async (tx) => {
          if (!(await feed.ended(tx, run, end))) return
          const { id, session_id: session } = run
          await archive.archiveIn(tx, { session, before: 'all', reason: 'feed_complete', except: id })
        },
        (tx) => Promise.resolve(privates.runEnded(tx, run)),
      ]
      await follow(unit, consequences, onProblem)
    },
  }

  function toolServices(unit: RecordTransaction, cause: CallCause | undefined): AssistantServices {
    return {
      profile: () => profileIn(unit),
      recall: (query) => recollection.recall(query, unit),
      searchHistory: (query) => searchEpisodes(unit.db, query),
      content: content.toolServices(unit.db),
      begin: (order) => begin(unit, order, requireCall(cause)),
      origins: () => (cause ? originsOfRun(unit.db, cause.run) : Promise.resolve([])),
      hold: (ids, held) => hold(unit, ids, held),
      schedules: schedules.toolServices(unit, cause),
      chats: options.chats?.(unit) ?? noAssistantServices.chats,
      async forget(ids) {
        const actor: Actor = cause ? { kind: 'agent', id: cause.run } : own
        return (await forgetMemory(unit, ids, actor, mentions)).traces
      },
    }
  }

  /** Looks after work, and again when the next task that waits is due. */
  async function inspect(): Promise<HealthInspection> {
    const inspection = await health.inspect()
    await endings.mend()
    await checkIns.wake(context.clock())
    const { nextRetryAt } = inspection
    if (nextRetryAt !== null) later(new Date(nextRetryAt).getTime() - context.clock().getTime())
    return inspection
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
    port,
    chainNames: createChainNames(context, agents),
    middleware: callMiddleware(),
    toolServices,
    /** Has a model work on a text for a tool: the one chosen for the run or its agent, at the cost of the run. */
    language:
      (
        { run, session, agent, goal, schedule, unattended, model: chosen }: CallCause & RunWork,
        signal: AbortSignal,
      ): WorkOut =>
      async (task) => {
        const use = chosen ?? (await agentNamed(agent))?.model
        const meter = meterFor({ run, session, agent, goal, schedule, unattended })
        return workOut(task, { model, meter, use: use === 'default' ? undefined : use }, signal)
      },
    /** Turns texts into vectors for a tool, at the cost of the run. */
    embed:
      (
        { run, session, agent, goal, schedule, unattended }: CallCause & RunWork,
        signal: AbortSignal,
      ): EmbedTexts =>
      (texts) =>
        content.embed(texts, signal, meterFor({ run, session, agent, goal, schedule, unattended })),
    /** Has a model make, hear or look at something for a tool, at the cost of the run. */
    media:
      (
        { run, session, agent, goal, schedule, unattended, model: chosen }: MediaCause,
        signal: AbortSignal,
      ): WorkOnMedia =>
      async (task) => {
        const meter = meterFor({ run, session, agent, goal, schedule, unattended })
        if (task.kind !== 'look') return options.media.make(task, signal, meter)
        const use = chosen ?? (await agentNamed(agent))?.model
        const { kind: _, ...look } = task
        const worker = { model, meter, use: use === 'default' ? undefined : use }
        return workOut({ text: 'Look at this.', ...look }, worker, signal)
      },
    /** What an agent sees of a catalogue in a conversation. */
    async restrict(
      { agent, session }: { readonly agent: string; readonly session: SessionId },
      catalogue: ToolCatalogue,
    ): Promise<ToolCatalogue> {
      const [found, extra] = await Promise.all([agentNamed(agent), extraToolsIn(session)])
      if (!found?.enabled) return agentTools(goneAgent(agent), catalogue).catalogue
      return agentTools(found, catalogue, extra).catalogue
    },
    services: {
      agents,
      teams,
      answering,
      profiles,
      learnings: createAgentLearnings({ context, agents }),
      toldFiles,
      goals,
      tasks,
      plans,
      feed,
      schedules,
      memories,
      history,
      search,
      calendarSync,
      newMail,
      mailIndex,
    },
    inspect,
    prompt: preparation.show,
    address: createAddress({ context, agents, teams, answering }),
    /** Puts a question about a waiting call to the model. */
    explain: createExplain({ context, model, meterFor }),
    /** Puts the open conversations of an agent away. */
    reset: createReset(context, archive),
    /** Goes on by itself from here on. */
    async start(kernel: KernelPorts): Promise<void> {
      opened.resolve(kernel)
      outbox.open(kernel.admit)
      await agents.load(own)
      await outbox.deliver()
      await scheduler.start()
      await reminders.start()
      recollection.start()
      content.start()
      // What fell silent while nobody was there has ended, and is found from now on.
      archive.sweep(context.clock()).catch(onProblem)
      // Who was in a private conversation is not known any more, unless another gateway is at work.
      if (await kernel.isAlone()) await privates.endAll()
      every(minute / 4, outbox.deliver)
      every(minute, () => archive.sweep(context.clock()))
      every(minute / 4, () => privates.sweep(context.clock()))
      every(minute, observer.tend)
      every(minute, calendarSync.beat)
      every(minute / 4, newMail.beat)
      every(thresholds.inspectEveryMs, inspect)
      // What a hold or its end reached too early, or not at all.
      every(thresholds.inspectEveryMs, () => kernel.holdsChanged(operator))
    },
    async close(): Promise<void> {
      for (const timer of timers) clearInterval(timer)
      clearTimeout(retry)
      await scheduler.close()
      await reminders.close()
      await Promise.all([calendarSync.close(), newMail.close(), mailIndex.close()])
      await recollection.close()
      await content.close()
      await archive.settled()
    },
  }
}

/** What may refuse a call before policy is asked, in this order. */
function callMiddleware(): CallMiddleware[] {
  return [simulation(), agentFolders(), begunSchedules(), goalLimits(), scheduleLimits()]
}

function toldAs({ summaries, extensions }: Pick<AssistantOptions, 'summaries' | 'extensions'>) {
  return {
    ...(extensions ? { extensions } : {}),
    ...(summaries === undefined ? {} : { summaries }),
  }
}

function requireCall(cause: CallCause | undefined): CallCause {
  if (cause) return cause
  throw new Error('work begins only with a call')
}
