/**
 * Gives a task to a coding agent of the operator's, which works in the sandbox over a view of the workspace. It reaches
 * the model service that the operator named and nothing else; what it changed is one list that is judged afterwards.
 */
import { type CodingAgent, canonicalText, type ToolResult } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'
import type { CodingAgentWork } from '../capabilities.ts'
import { resultOf, seeFolder, viewedProgram } from '../code/program.ts'
import { defineTool, perMinute } from '../definition.ts'
import { failed } from '../result.ts'
import { commandText, nameText, pathText } from '../text.ts'
import { urlEffect } from '../web/url-effect.ts'
import { agentEnvironment, agentNamed } from './known-agents.ts'

const longestSeconds = 1800

export const runCodingTask = defineTool({
  name: 'run_coding_task',
  version: '1',
  description:
    'Give a coding task to an external coding agent (see list_coding_agents). It works on a copy; what it changed is shown before it counts.',
  input: z.strictObject({
    provider: nameText(60).describe('claude-code, codex, gemini-cli, opencode, pi, or custom:name'),
    prompt: commandText(20_000).describe('Say the files and the outcome that you expect'),
    cwd: pathText.default('.'),
    model: nameText(200).exactOptional().describe('Another model than the one that is set'),
    max_budget_usd: z.number().min(0.01).max(100).default(1),
    max_turns: z.int().min(1).max(200).default(10),
    timeout_seconds: z.int().min(10).max(longestSeconds).default(300),
  }),
  category: 'coding',
  group: 'codingAgents',
  tags: [
    'code',
    'program',
    'fix',
    'bug',
    'test',
    'implement',
    'refactor',
    'delegate',
    'claude',
    'codex',
    'gemini',
  ],
  effect: 'once',
  rate: perMinute(3),
  floor: 3,
  output: { integrity: 'untrusted', confidentiality: 'private', sources: ['coding agent'] },
  runs: 'executor',
  sandbox: 'agent',
  egress: 'checked',
  undo: 'restore_workspace',
  describe: ({ provider, prompt }) =>
    `Let ${provider} work: ${prompt.trim().split('\n')[0]?.slice(0, 120) ?? ''}`,
  preview: ({ provider, prompt, cwd, model, max_budget_usd, max_turns, timeout_seconds }) => ({
    kind: 'text',
    title: `${provider} works in ${cwd === '.' ? 'the workspace' : cwd}${model === undefined ? '' : ` with ${model}`}: at most $${max_budget_usd}, ${max_turns} turns, ${timeout_seconds} s. It sees a copy; you are shown what it changed.`,
    text: prompt,
  }),
  async effects({ provider, prompt: _prompt, cwd, model }, inspect) {
    const name = agentNamed(provider)
    const found = await inspect.codingAgent(name)
    if (!found) {
      const known = inspect.codingAgents().join(', ')
      const reason = `There is no coding agent ${name}. ${known === '' ? 'None is added yet' : `There are: ${known}`}; the operator adds one with \`countersign coding-agent add\`.`
      return { kind: 'invalid', reason }
    }
    const { agent, program } = found
    const words = agent.command.join(' ')
    if (!program)
      return {
        kind: 'unavailable',
        reason: `${words} is not installed.`,
        fix: `Install it where the sandbox sees it, or name its folder: \`countersign coding-agent add ${name} --folder /path -- ${words}\`.`,
      }
    const folder = await seeFolder(cwd, inspect)
    if (folder.kind !== 'folder') return folder
    const { path } = folder.location
    const place = urlEffect(
      {
        url: agent.endpoint,
        method: 'POST',
        redirects: 'refused',
        carries: 'more',
        verb: 'send',
        leaves: ['the task', 'whatever the agent reads in the workspace'],
      },
      inspect,
    )
    if (place.kind !== 'found') return place
    // A project is more than its own files: the agent sees its packages and its history.
    const view = { named: path === '.' ? [] : [path], needs: [...allNeeds], below: true }
    const environment = sha256Hex(
      `${inspect.environment}\n${canonicalText(agentEnvironment(agent, model ?? agent.model))}`,
    )
    return {
      kind: 'found',
      resources: [
        { ...viewedProgram(program, agent.command, path, inspect, view), environment },
        ...place.resources,
      ],
      effects: [
        { verb: 'read', object: `${path === '.' ? 'the workspace' : path}, by ${words}`, ...inside },
        ...place.effects,
      ],
      ...(agent.key === undefined ? {} : { secrets: [agent.key] }),
    }
  },
  async run(task, capabilities, signal) {
    const { provider, prompt, cwd, model, max_budget_usd, max_turns, timeout_seconds } = task
    const name = agentNamed(provider)
    const location = capabilities.files.locate(cwd)
    const found = await capabilities.codingAgents.find(name)
    if (location.root !== 'workspace' || !found) return failed(`There is no coding agent ${name} for ${cwd}.`)
    const { agent } = found
    const chosen = model ?? agent.model
    const work = await capabilities.codingAgents.run({
      name,
      prompt,
      cwd: location.path,
      environment: agentEnvironment(agent, chosen),
      maxTurns: max_turns,
      maxBudgetUsd: max_budget_usd,
      timeoutMs: timeout_seconds * 1000,
      signal,
    })
    if (work.kind === 'failed') return failed(`${work.reason} Nothing in the workspace was changed.`)
    const { turns, tokens, costUsd, durationMs, text, steps } = work
    const id = await capabilities.codingAgents.keep({
      provider,
      prompt,
      cwd,
      model: chosen,
      ok: work.end.kind === 'ended',
      end: endWords(work),
      durationMs,
      turns,
      tokens,
      costUsd,
      changed: work.outcome.held?.files.map(({ path }) => path) ?? [],
      steps: [...steps],
      text,
    })
    return told(work, agent, id, `${provider} worked`)
  },
  /** It worked over a view that is gone: whatever it did, nothing of it is in the workspace. */
  probe: async () =>
    failed(
      'The coding agent was cut off in the middle. Nothing that it did is in the workspace. Give it the task again if it is still wanted.',
    ),
})

const inside = { scope: 'inside', reversible: true, outward: false, leaves: [] as string[] } as const
const allNeeds = ['history', 'javascript', 'other', 'python'] as const

function endWords({ end, complaint }: CodingAgentWork): string {
  if (end.kind === 'ended') return end.reason === 'end_turn' ? 'done' : end.reason
  if (end.kind === 'stopped') return stopWords[end.why]
  return `it failed: ${end.reason}${complaint.trim() === '' ? '' : ` ${complaint.trim().slice(-500)}`}`
}

const stopWords = {
  turns: 'stopped: the turns are used up',
  budget: 'stopped: the budget is spent',
  timeout: 'stopped: the time is over',
  cancelled: 'cancelled',
  flood: 'stopped: it said more than is listened to',
} as const

function told(work: CodingAgentWork, agent: CodingAgent, id: string, what: string): ToolResult {
  const { outcome, turns, tokens, costUsd, durationMs, permissions, refused, steps, text } = work
  const cost = costUsd === null ? 'cost unknown (no prices are set)' : `$${costUsd.toFixed(4)}`
  const lines = [
    text.trim(),
    ...(steps.length === 0 ? [] : ['[steps]', ...steps.slice(0, 50)]),
    ...(refused.length === 0 ? [] : ['[refused]', ...refused]),
    `[${endWords(work)}; ${turns} turns, ${tokens.input}+${tokens.output} tokens of ${agent.model}, ${cost}, ${Math.round(durationMs / 1000)} s; permissions: ${permissions.allowed} inside, ${permissions.refused} refused; result ${id}]`,
    outcome.held === null
      ? '[it changed nothing in the workspace]'
      : '[nothing of it is in the workspace before its changes are taken over]',
  ]
  // The agent is ended by us when it has stopped, which says nothing of its work.
  const isTaken = outcome.end.kind === 'exited' || outcome.end.kind === 'killed'
  const base = resultOf(
    {
      ...outcome,
      end: isTaken ? { kind: 'exited', code: 0 } : outcome.end,
      stdout: lines.filter((line) => line !== '').join('\n'),
      stderr: '',
    },
    what,
    durationMs,
  )
  const isDone = work.end.kind === 'ended' && isTaken
  return { ...base, ok: isDone, summary: `${what}: ${endWords(work)}` }
}
