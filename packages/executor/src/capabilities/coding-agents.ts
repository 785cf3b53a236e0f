/**
 * The capability on coding agents: the one agent that the permit names, over a view of the workspace, with the model
 * service that the permit names and nothing else. What it changes is held, so that nothing has happened until the list
 * of it was judged. Refuses another command, another place, and a permit without a view.
 */
import type { ApprovalSubject } from '@countersign/contract'
import type { CodingAgentTask, CodingAgentWork, ToolCapabilities } from '@countersign/tools'
import type { AgentPrograms } from '../coding-agents/agent-programs.ts'
import { converse, emptyRecord } from '../coding-agents/conversation.ts'
import { agentLimits } from '../coding-agents/limits.ts'
import { createModelDoor } from '../coding-agents/model-door.ts'
import type { TaskResults } from '../coding-agents/task-results.ts'
import { sandboxEnvironment } from '../confinement.ts'
import type { Egress } from '../egress/egress.ts'
import type { SecretSource } from '../egress/secret-source.ts'
import { failure } from './failure.ts'
import { endedWith, hiddenIn, ranOf, type ShellParts } from './shell.ts'
import { webCapabilities } from './web.ts'

export interface CodingAgentParts extends Pick<ShellParts, 'sandbox' | 'held' | 'sealed'> {
  readonly agents: AgentPrograms
  readonly results: TaskResults
  /** Waits for an answer as long as a model may take. */
  readonly modelEgress: Egress
  readonly secrets?: SecretSource
  readonly mask: <T>(value: T) => T
}

export function codingAgentCapabilities(
  subject: ApprovalSubject,
  parts: CodingAgentParts,
): ToolCapabilities['codingAgents'] {
  return {
    names: () => parts.agents.names(),
    find: (name) => parts.agents.find(name),
    keep: (result) => parts.results.keep(parts.mask(result)),
    result: (id) => parts.results.get(id),
    results: (limit) => parts.results.list(limit),
    run: (task) => work(subject, task, parts),
  }
}

async function work(
  subject: ApprovalSubject,
  task: CodingAgentTask,
  parts: CodingAgentParts,
): Promise<CodingAgentWork | ReturnType<typeof failure>> {
  const { sandbox, held, sealed } = parts
  if (!sandbox || !held) return failure('A coding agent needs a sandbox with a view of the workspace.')
  const found = await parts.agents.find(task.name)
  const program = subject.resources.find((resource) => resource.type === 'exec')
  if (!found?.program || program?.path !== found.program.path || program.content !== found.program.content)
    return failure('The permit names another program.')
  if (!subject.sandbox.startsWith('agent:') || program.view === null || program.cwd !== task.cwd)
    return failure('The permit is not for an agent over a view.')
  if (program.argv.join('\0') !== found.agent.command.join('\0'))
    return failure('The permit names another command.')
  const layers = await sealed.layers({ unsealed: [], written: [] })
  if (layers.kind === 'changed') return failure(layers.reason)
  const record = emptyRecord()
  const stop = new AbortController()
  const spent: ('turns' | 'budget')[] = []
  const signal = AbortSignal.any([task.signal, stop.signal])
  const door = createModelDoor({
    agent: found.agent,
    web: webCapabilities(subject, {
      egress: parts.modelEgress,
      ...(parts.secrets ? { secrets: parts.secrets } : {}),
    }),
    maxTurns: task.maxTurns,
    maxBudgetUsd: task.maxBudgetUsd,
    mask: parts.mask,
    onSpent(why) {
      spent.push(why)
      stop.abort()
    },
    signal,
  })
  const result = await sandbox.run(
    {
      argv: found.agent.command,
      cwd: task.cwd,
      env: { ...sandboxEnvironment, ...task.environment },
      profile: 'network',
      network: (listener) => door.serve(listener),
      layers: layers.layers,
      mounts: parts.agents.mounts(task.name),
      talk: (streams) => converse(streams, task, record),
      timeoutMs: Math.min(task.timeoutMs, agentLimits.maxTimeoutMs),
      maxOutputBytes: agentLimits.maxStderrBytes,
      maxMemoryBytes: agentLimits.maxMemoryBytes,
      maxProcesses: agentLimits.maxProcesses,
    },
    signal,
  )
  const durationMs = Math.round(result.durationMs)
  const ran = { ...ranOf(result, []), durationMs, hidden: hiddenIn(sealed) }
  const facts = {
    kind: 'worked' as const,
    ...door.spent(),
    text: record.text,
    steps: record.steps,
    permissions: record.permissions,
    refused: door.refused(),
    durationMs,
    complaint: result.stderr.slice(-2000),
  }
  const end = endOf(record, spent[0], result.kind, task.signal.aborted)
  // What the operator stopped is not wanted: nobody waits for a decision about it.
  if (task.signal.aborted) return { ...facts, end, outcome: ran }
  const { held: set, ...reply } = await sealed.hold(held, subject)
  return { ...facts, end, outcome: { ...endedWith(ran, reply), held: set } }
}

function endOf(
  record: ReturnType<typeof emptyRecord>,
  spent: 'turns' | 'budget' | undefined,
  kind: 'exited' | 'timeout' | 'cancelled',
  isStopped: boolean,
): CodingAgentWork['end'] {
  if (isStopped) return { kind: 'stopped', why: 'cancelled' }
  if (spent) return { kind: 'stopped', why: spent }
  if (kind === 'timeout') return { kind: 'stopped', why: 'timeout' }
  if (record.flooded) return { kind: 'stopped', why: 'flood' }
  if (record.stop !== null) return { kind: 'ended', reason: record.stop }
  return { kind: 'failed', reason: record.problem ?? 'The agent ended without a word.' }
}
