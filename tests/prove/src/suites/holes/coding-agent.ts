/** Owns a coding agent that does what an attack tells it, in the real sandbox of an executor of its own. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { JsonObject } from '@countersign/contract'
import { installScriptedAgent } from '@countersign/executor/scripted-agent'
import { openExecutor } from '../../../../../packages/executor/src/executor.ts'
import { createTestHost, sealTestPermit } from '../../../../../packages/executor/src/testing/host.ts'
import type { Stage } from './stage.ts'

/** What the agent was told after each of its steps, and which paths of the model service were asked. */
export interface AgentSeen {
  readonly told: readonly string[]
  readonly paths: readonly string[]
}

export interface AgentWork {
  /** Of a million tokens in and out, in dollars; and what the task may cost. */
  readonly money?: { readonly prices: { input: number; output: number }; readonly budgetUsd: number }
  /** What an answer of the model tells of its use, and how long it takes. */
  readonly answers?: { readonly usage: JsonObject; readonly afterMs: number }
}

export async function workOfAgent(
  stage: Stage,
  steps: readonly JsonObject[],
  { money, answers }: AgentWork = {},
): Promise<AgentSeen> {
  const told: string[] = []
  const paths: string[] = []
  let turn = 0
  const model = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      paths.push(request.url ?? '')
      response.setHeader('content-type', 'application/json')
      if (!request.url?.startsWith('/v1/')) return response.end('{"reached":true}')
      const { messages } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
        messages: { role: string; content: string }[]
      }
      const last = messages.at(-1)
      if (last?.role === 'tool') told.push(last.content)
      const usage = answers ? { usage: answers.usage } : {}
      if (last?.role === 'aside')
        return setTimeout(() => response.end(JSON.stringify(usage)), answers?.afterMs)
      const step = steps[turn]
      turn += 1
      const message = step
        ? { tool_calls: [{ id: 'c', function: { name: 'sh', arguments: JSON.stringify(step) } }] }
        : { content: 'Done.' }
      return response.end(
        JSON.stringify({ choices: [{ message: { role: 'assistant', ...message } }], ...usage }),
      )
    })
  })
  await new Promise<void>((resolve) => void model.listen(0, '127.0.0.1', resolve))
  stage.afterwards(() => {
    model.closeAllConnections()
    model.close()
  })
  const { port } = model.address() as AddressInfo
  const host = createTestHost({ allowPrivate: [{ host: '127.0.0.1', port }], ports: [] })
  stage.afterwards(() => host.remove())
  const installed = installScriptedAgent(join(host.folder, 'agent'), `http://127.0.0.1:${port}/v1`)
  const scripted = { ...installed, ...(money ? { prices: money.prices } : {}) }
  const executor = await openExecutor({ ...host.options, codingAgents: { scripted } })
  stage.afterwards(() => executor.close())
  executor.setWorld(host.world)
  mkdirSync(join(host.workspace, 'small'))
  writeFileSync(join(host.workspace, 'small/own.txt'), 'mine\n')
  const args = {
    provider: 'scripted',
    prompt: 'Work',
    cwd: 'small',
    ...(money ? { max_budget_usd: money.budgetUsd } : {}),
  }
  const permit = await sealTestPermit(host, { tool: 'run_coding_task', args }, executor.resolve)
  await executor.execute(permit, new AbortController().signal)
  return { told, paths }
}

/** A step in which the agent asks its model ten things of a hundred thousand tokens, besides its turns. */
export function asksLong(how: 'at once' | 'one after the other'): JsonObject {
  const program = `
    const ask = () => fetch(process.env.OPENAI_BASE_URL + '/chat/completions?aside', {
      method: 'POST',
      body: JSON.stringify({ messages: [{ role: 'aside', content: 'x'.repeat(300_000) }] }),
    }).then((answer) => answer.text()).catch(() => '')
    const all = Array.from({ length: 10 })
    ${how === 'at once' ? 'await Promise.all(all.map(ask))' : 'for (const _ of all) await ask()'}`
  return { command: `cat > /tmp/ask.mjs <<'END'\n${program}\nEND\nnode /tmp/ask.mjs` }
}
