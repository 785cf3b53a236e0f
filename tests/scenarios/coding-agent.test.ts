import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject, RunDetail } from '@countersign/contract'
import { installScriptedAgent } from '@countersign/executor/scripted-agent'
import {
  approve,
  executorOf,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { type ModelServer, type Script, startModelServer } from '@countersign/model-servers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const broken = 'module.exports = (a, b) => a - b\n'
const fixed = 'module.exports = (a, b) => a + b\n'
const fix = "sed -i 's/a - b/a + b/' sum.js && node test.js && echo right"
const task = { provider: 'custom:small', prompt: 'The test fails. Fix sum.js.', cwd: 'sums' }

let installation: Installation
let gateway: GatewayProcess
/** The model of the agent, which is another than that of the assistant. */
let service: ModelServer
let serviceSays: Script
const at = (path: string) => join(installation.paths.workspace, path)
const program = () => readFileSync(at('sums/sum.js'), 'utf8')

beforeAll(async () => {
  service = await startModelServer({ script: (turn) => serviceSays(turn) })
  const { hostname, port } = new URL(service.url)
  installation = await openInstallation({
    environment: { COUNTERSIGN_LOCAL_TARGETS: `${hostname}:${port}` },
    script: ({ lastUser, lastResults }) =>
      lastResults.length > 0
        ? { text: lastResults.map(({ text }) => text).join('\n---\n') }
        : { calls: [JSON.parse(lastUser)] },
  })
  const agent = installScriptedAgent(join(installation.home, 'agent'), `${service.url}/v1`)
  mkdirSync(dirname(installation.paths.config), { recursive: true })
  writeFileSync(
    installation.paths.config,
    JSON.stringify({ memory: { automatic: 'off' }, codingAgents: { small: agent } }),
  )
  gateway = await installation.start()
}, 120_000)
afterAll(async () => {
  await installation?.close()
  await service?.close()
})
beforeEach(() => {
  serviceSays = ({ lastResults }) =>
    lastResults.length > 0
      ? { text: 'The sign was wrong.' }
      : { calls: [{ name: 'sh', args: { command: fix } }] }
  rmSync(at('sums'), { recursive: true, force: true })
  mkdirSync(at('sums'), { recursive: true })
  writeFileSync(at('sums/sum.js'), broken)
  writeFileSync(at('sums/test.js'), "if (require('./sum.js')(2, 2) !== 4) throw new Error('wrong')\n")
})

/** Has the model of the assistant make one call. */
async function ask(name: string, args: JsonObject): Promise<RunDetail> {
  const text = JSON.stringify({ name, args })
  const sent = await gateway.client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
  return settledRun(gateway.client, sent.run ?? '', 'either')
}

const pendingIn = ({ approvals }: RunDetail) => approvals.filter(({ state }) => state === 'pending')

async function approveThe(tool: string, detail: RunDetail): Promise<void> {
  const [approval, ...others] = pendingIn(detail)
  expect(others).toEqual([])
  expect(approval?.card.tool).toBe(tool)
  await approve(installation, gateway.client, approval?.id ?? '')
}

async function approvedOf(tool: string, detail: RunDetail): Promise<RunDetail> {
  await approveThe(tool, detail)
  return settledRun(gateway.client, detail.run.id, 'either')
}

test('a failing program is fixed; the change is approved once as it was shown, and undone', async () => {
  expect(() => execFileSync('node', [at('sums/test.js')], { stdio: 'pipe' })).toThrow('wrong')
  const asked = await ask('run_coding_task', task)
  const [question] = asked.approvals
  expect(question?.card).toMatchObject({ tool: 'run_coding_task', tier: 3 })
  expect(service.requests).toEqual([])

  const worked = await approvedOf('run_coding_task', asked)
  expect(worked.calls[0]?.result).toContain('The sign was wrong.')
  expect(program()).toBe(broken)
  expect(pendingIn(worked)[0]?.card.preview).toMatchObject({
    text: expect.stringContaining('+module.exports = (a, b) => a + b'),
  })

  const ended = await approvedOf('take_over_changes', worked)
  expect(ended.run.state).toBe('stopped')
  expect(ended.approvals).toHaveLength(2)
  expect(ended.calls).toMatchObject([
    { tool: 'run_coding_task', outcome: 'ok', undoable: false },
    { tool: 'take_over_changes', outcome: 'ok', undoable: true },
  ])
  expect(program()).toBe(fixed)
  execFileSync('node', [at('sums/test.js')])

  // The conversation has the words of a stranger by now, so the way back is asked about, too.
  const undo = await gateway.client.undoRun(ended.run.id)
  await approvedOf('restore_workspace', await settledRun(gateway.client, undo.run, 'either'))
  expect(program()).toBe(broken)
}, 120_000)

test('what is denied of its change is not kept, and its result is found afterwards', async () => {
  const worked = await approvedOf('run_coding_task', await ask('run_coding_task', task))
  const [approval] = pendingIn(worked)
  await gateway.client.decide(approval?.id ?? '', { verdict: 'deny', reason: 'not that', stop: false })
  await settledRun(gateway.client, worked.run.id)
  expect(program()).toBe(broken)

  const listed = await ask('list_task_results', { limit: 1 })
  const { results } = JSON.parse(listed.calls[0]?.result ?? '') as { results: { id: string }[] }
  const found = await ask('get_task_result', { result_id: results[0]?.id ?? '' })
  expect(JSON.parse(found.calls[0]?.result ?? '')).toMatchObject({
    provider: 'custom:small',
    ok: true,
    changed: ['sums/sum.js'],
    text: 'The sign was wrong.',
  })
}, 120_000)

/** Gives the agent the task, and comes back when it has changed the program over its view and waits for an answer. */
async function inTheMiddle() {
  const hasWorked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const heard: string[] = []
  serviceSays = async ({ lastResults }) => {
    if (lastResults.length === 0) return { calls: [{ name: 'sh', args: { command: fix } }] }
    heard.push(lastResults[0]?.text ?? '')
    hasWorked.resolve()
    await answer.promise
    return { text: 'The sign was wrong.' }
  }
  const asked = await ask('run_coding_task', task)
  await approveThe('run_coding_task', asked)
  await hasWorked.promise
  expect(program()).toBe(broken)
  // A second beginning would be heard, too.
  return { run: asked.run.id, heard, answer: () => answer.resolve() }
}

test('kill -9 of the gateway while it works: the work is not begun again, and waits to be taken over', async () => {
  const { run, heard, answer } = await inTheMiddle()
  await gateway.kill()
  answer()
  gateway = await installation.start()
  const worked = await settledRun(gateway.client, run, 'either')
  expect(heard).toEqual(['right\n'])
  expect(program()).toBe(broken)
  const ended = await approvedOf('take_over_changes', worked)
  expect(ended.calls).toMatchObject([{ outcome: 'ok' }, { outcome: 'ok', undoable: true }])
  expect(program()).toBe(fixed)
}, 180_000)

test('kill -9 of everything while it works leaves the workspace as it was, and the call says so', async () => {
  const { run, heard, answer } = await inTheMiddle()
  const executor = executorOf(gateway.pid)
  await gateway.kill()
  process.kill(executor, 'SIGKILL')
  answer()
  gateway = await installation.start()
  const ended = await settledRun(gateway.client, run, 'either')
  expect(ended.run.state).toBe('stopped')
  expect(ended.calls).toMatchObject([{ tool: 'run_coding_task', outcome: 'failed' }])
  expect(ended.calls[0]?.result).toContain('Nothing that it did is in the workspace.')
  expect(heard).toEqual(['right\n'])
  expect(program()).toBe(broken)
  expect(readdirSync(at('sums')).toSorted()).toEqual(['sum.js', 'test.js'])

  const again = await approvedOf('run_coding_task', await ask('run_coding_task', task))
  await approvedOf('take_over_changes', again)
  expect(program()).toBe(fixed)
}, 180_000)
