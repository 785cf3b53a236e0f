/**
 * Executes record tools in the gateway's own process, with the permit checks of every executor. The
 * effect, its resolution and the memory of its use are one transaction on the operator's records.
 */
import {
  type AssistantServices,
  CountersignError,
  type EmbedTexts,
  type ExecuteReply,
  type ExecutorPort,
  type ExecutorReply,
  type GatewayId,
  type OperatorId,
  type Permit,
  parseStrict,
  permitLifetimeMs,
  type RecordToolTransaction,
  type RecordToolTransactions,
  type ResolveReply,
  type RunId,
  type RunWork,
  type SessionId,
  type ToolCatalogue,
  type ToolResult,
  type ToolSource,
  type WorkOut,
} from '@countersign/contract'
import { recordExecutorIdentity } from '@countersign/contract/node'
import {
  type CallCause,
  type Catalogue,
  parseArgs,
  type RecordTool,
  type RecordToolContext,
} from '@countersign/tools'
import { type Clocks, createPermitClock } from './clock.ts'
import type { TrustSource } from './trust.ts'
import { type PermitWorld, type ReadPermit, readPermit, verifyRead } from './verify.ts'

export interface RecordExecutorOptions<Transaction extends RecordToolTransaction> {
  readonly gateway: { readonly id: GatewayId; readonly publicKey: string }
  readonly trust: TrustSource
  readonly clocks: Clocks
  /** Every tool, whatever is switched off: a permit decides. */
  readonly catalogue: Catalogue
  readonly tools: ToolSource
  /** Every call of these needs a passkey. */
  readonly passkeyTools: readonly string[]
  readonly records: RecordToolTransactions<Transaction>
  /** What a run works for, from the run's own row, which no call can change. */
  readonly workOf: (unit: Transaction, run: RunId) => Promise<RunWork>
  /** Has a model work on a text, at the cost of the run that makes the call. */
  readonly language: (cause: CallCause & RunWork, signal: AbortSignal) => WorkOut
  /** Turns texts into vectors, at the cost of the run that makes the call. */
  readonly embed: (cause: CallCause & RunWork, signal: AbortSignal) => EmbedTexts
  /** Whether the records could not be reached for the moment: nothing was done, and the same can be tried again. */
  readonly isPassingFailure: (problem: unknown) => boolean
  /** What the assistant does for a tool, in the transaction of its call. */
  readonly assistant: (unit: Transaction, cause: CallCause | undefined) => AssistantServices
  /** The tools that an agent knows of in a conversation. */
  readonly restrict: (
    caller: { readonly agent: string; readonly session: SessionId },
    tools: ToolCatalogue,
  ) => Promise<ToolCatalogue>
  /** The names of the secrets that are kept. */
  readonly secretNames?: () => Promise<readonly string[]>
  readonly uuid: () => string
  readonly onProblem: (problem: unknown) => void
}

/** So many transactions at once leave connections for everything else. */
const mostAtOnce = 4
const triesAfterConflict = 3
/** What is not done before the permit ends was paid for in vain. */
const longestWorkMs = permitLifetimeMs / 2
const cancelled = { kind: 'refused' as const, reason: 'cancelled before it began' }

export function createRecordExecutor<Transaction extends RecordToolTransaction>(
  options: RecordExecutorOptions<Transaction>,
): ExecutorPort {
  const { gateway, catalogue, records, isPassingFailure } = options
  const identity = recordExecutorIdentity({ id: gateway.id, key: gateway.publicKey })
  const clock = createPermitClock(options.clocks)
  let current: { policy: string; epoch: number } | undefined

  const toolContextOn = (
    unit: Transaction,
    tools: ToolCatalogue,
    asked: Date,
    cause: RecordToolContext['cause'],
  ): RecordToolContext => ({
    records: unit.records,
    budgetExtensions: unit.budgetExtensions,
    catalogue: tools,
    now: unit.now,
    asked,
    uuid: options.uuid,
    cause,
    assistant: options.assistant(unit, cause),
    ...(options.secretNames ? { secretNames: options.secretNames } : {}),
  })

  function toolNamed(name: string): RecordTool | undefined {
    const tool = catalogue.definition(name)
    return tool?.runs === 'gateway' ? tool : undefined
  }

  async function resolve(name: string, args: string, toolContext: RecordToolContext): Promise<ResolveReply> {
    const tool = toolNamed(name)
    if (!tool) return { kind: 'invalid', reason: `There is no tool ${name} here.` }
    const strict = parseStrict(args)
    if (strict.kind === 'refused') return { kind: 'invalid', reason: `Not strict JSON: ${strict.reason}.` }
    const parsed = parseArgs(tool, strict.value)
    if (parsed.kind === 'invalid') return { kind: 'invalid', reason: parsed.problems.join('; ') }
    const found = await tool.effects(parsed.args, toolContext)
    if (found.kind !== 'found') return found
    const { resources, effects } = found
    const confined = { sandbox: 'none', egress: 'none', secrets: [] }
    return { kind: 'resolved', resolution: { resources: [...resources], effects: [...effects], ...confined } }
  }

  function worldOf(toolContext: RecordToolContext): PermitWorld {
    return {
      runs: 'gateway',
      executor: { id: identity.executor, fingerprint: identity.key },
      trust: {
        async current() {
          const trusted = await options.trust.current()
          if ('problem' in trusted) return trusted
          return { ...trusted, executor: { id: identity.executor, key: gateway.publicKey } }
        },
      },
      catalogue,
      clock,
      passkeyTools: options.passkeyTools,
      current: () => current,
      resolve: (name, args) => resolve(name, args, toolContext),
    }
  }

  async function execute(permit: unknown, tools: ToolCatalogue, signal: AbortSignal): Promise<ExecutorReply> {
    const read = readPermit(permit)
    if ('problem' in read) return { kind: 'refused', reason: read.problem }
    const { operator, nonce, call } = read.permit.subject
    const worked = await workFirst(read, tools, signal)
    return records.use(operator, { nonce, digest: read.digest, call }, async (unit) => {
      // Not before: a permit that was used already has its result, whatever was stopped since.
      if (signal.aborted) return cancelled
      const { verdict, toolContext } = await verifyIn(unit, read, tools)
      if (verdict.kind === 'refused') return verdict
      const { tool, args } = verdict.call
      if (tool.runs !== 'gateway') return { kind: 'refused', reason: 'the call cannot be run here' }
      const startedAt = unit.now.toISOString()
      const result = await tool.run(args, { ...toolContext, ...worked })
      return { kind: 'done', startedAt, endedAt: new Date(options.clocks.wall()).toISOString(), result }
    })
  }

  async function verifyIn(unit: Transaction, read: ReadPermit, tools: ToolCatalogue) {
    const { requester, provenance: label, session, run, agent, createdAt } = read.permit.subject
    const work = await options.workOf(unit, run)
    const cause = { requester, label, session, run, agent, goal: work.goal }
    const toolContext = toolContextOn(unit, tools, new Date(createdAt), cause)
    return {
      verdict: await verifyRead(read, worldOf(toolContext)),
      toolContext,
      cause: { ...cause, ...work },
    }
  }

  /**
   * What a model works out comes before the transaction, which waits for nobody. The permit is looked at before a model is
   * asked, and again when its use is remembered. After a crash in between a model is asked once more; nothing else happens.
   */
  async function workFirst(
    read: ReadPermit,
    tools: ToolCatalogue,
    signal: AbortSignal,
  ): Promise<Pick<RecordToolContext, 'worked' | 'embedded'>> {
    const { operator, tool: named } = read.permit.subject
    const tool = toolNamed(named.name)
    if (!(tool?.work || tool?.texts) || signal.aborted) return {}
    const { verdict, cause } = await records.read(operator, (unit) => verifyIn(unit, read, tools))
    if (verdict.kind === 'refused') return {}
    const ending = AbortSignal.any([signal, AbortSignal.timeout(longestWorkMs)])
    const { args } = verdict.call
    const worked = await tool.work?.(args, options.language(cause, ending))
    const texts = tool.texts?.(args)
    const embedded = texts && (await options.embed(cause, ending)(texts))
    return { ...(worked ? { worked } : {}), ...(embedded ? { embedded } : {}) }
  }

  /**
   * A transaction that failed left nothing, so the permit may simply be sent again. Where somebody changed the same
   * record meanwhile it is tried again at once, and looked at anew: then it fits or is refused with the reason.
   */
  async function attempt(
    permit: Permit,
    tools: Promise<ToolCatalogue>,
    signal: AbortSignal,
    triesLeft = triesAfterConflict,
  ): Promise<ExecutorReply> {
    try {
      // Before the transaction: whoever holds one connection and waits for another can wait for ever.
      return await execute(permit, await options.restrict(permit.subject, await tools), signal)
    } catch (problem) {
      const moved = problem instanceof CountersignError && problem.code === 'conflict'
      if (moved && triesLeft > 0) return attempt(permit, tools, signal, triesLeft - 1)
      options.onProblem(problem)
      return isPassingFailure(problem) ? { kind: 'lost' } : failedReply(problem)
    }
  }

  return {
    identity,
    async resolve(operator, calls, asked) {
      const tools = await options.tools.open(operator)
      try {
        return await records.read(operator, (unit) => {
          const toolContext = toolContextOn(unit, tools, asked, undefined)
          return Promise.all(calls.map(({ tool, args }) => resolve(tool, args, toolContext)))
        })
      } catch (problem) {
        options.onProblem(problem)
        if (isPassingFailure(problem)) throw problem
        return calls.map(() => ({
          kind: 'unavailable' as const,
          reason: failureText(problem),
          fix: 'Run `countersign doctor`.',
        }))
      }
    },
    async execute(permits, signal, replied) {
      const tools = new Map<OperatorId, Promise<ToolCatalogue>>()
      const opened = ({ subject: { operator } }: Permit) => {
        const known = tools.get(operator) ?? options.tools.open(operator)
        tools.set(operator, known)
        return known
      }
      const waiting = [...permits.entries()]
      const work = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          const [index, permit] = next
          replied(index, await attempt(permit, opened(permit), signal))
        }
      }
      await Promise.all(Array.from({ length: Math.min(mostAtOnce, permits.length) }, work))
    },
    setWorld(world) {
      if (!current || world.epoch >= current.epoch) current = world
    },
  }
}

/** The tool itself failed and its transaction was taken back: nothing was done, and sending it again would not help. */
function failedReply(problem: unknown): ExecuteReply {
  const text = `The tool failed: ${failureText(problem)}`
  const at = new Date().toISOString()
  const result: ToolResult = { ok: false, text, summary: text, undo: null }
  return { kind: 'done', startedAt: at, endedAt: at, result }
}

function failureText(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem)
}
