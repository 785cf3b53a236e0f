import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type InstalledExtensions,
  type JsonObject,
  type RunDetail,
  serverPresets,
  type TiersTried,
} from '@countersign/contract'
import { copyPackage } from '@countersign/executor/package-tree'
import {
  approve,
  countersign,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

let installation: Installation
let gateway: GatewayProcess
let files: string
let program: string

beforeAll(async () => {
  files = mkdtempSync(join(tmpdir(), 'server-files-'))
  program = `/extension/${copyPackage('@modelcontextprotocol/server-everything', files)}`
  installation = await openInstallation({
    script: ({ lastUser, lastResults }) =>
      lastResults.length > 0
        ? { text: lastResults.map(({ text }) => text).join('\n---\n') }
        : { calls: [JSON.parse(lastUser)] },
  })
  gateway = await installation.start()
}, 240_000)
afterAll(async () => {
  await installation?.close()
  rmSync(files, { recursive: true, force: true })
})

interface Answer {
  readonly code: string | undefined
  readonly told: JsonObject
}

async function command(...words: string[]): Promise<Answer> {
  const text = await countersign(installation, ['--json', ...words]).catch(
    (error: { stdout?: string; stderr?: string; message: string }) => {
      if (error.stdout) return error.stdout
      throw new Error(`${error.message}\n${error.stderr ?? ''}`)
    },
  )
  const told = JSON.parse(text) as JsonObject & { error?: { details?: { code?: string } } }
  return { told, code: told.error?.details?.code ?? /"code":\s*"([0-9A-Z]{4})"/.exec(text)?.[1] }
}

/** Gives the command, approves what it asks at the terminal, and waits for its end. */
async function decided(...words: string[]): Promise<RunDetail> {
  const asked = await command(...words)
  expect(asked.code, JSON.stringify(asked.told)).toBeDefined()
  const detail = await gateway.client.approval(asked.code ?? '')
  await command('approval', 'approve', asked.code ?? '', '--yes')
  return settledRun(gateway.client, detail.approval.run)
}

async function ask(name: string, args: JsonObject): Promise<RunDetail> {
  const text = JSON.stringify({ name: 'use_tool', args: { tool: name, args } })
  const sent = await gateway.client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
  return settledRun(gateway.client, sent.run ?? '', 'either')
}

const extensions = (): Promise<InstalledExtensions> => gateway.client.extensions()

test('a server is let in by the terminal, and nothing of it runs or is offered before it is accepted', async () => {
  const added = await decided(
    'extension',
    'add',
    'everything',
    '--files',
    files,
    '--',
    'node',
    program,
    'stdio',
  )
  expect(added.calls[0]).toMatchObject({ tool: 'add_server', tier: 3, outcome: 'ok' })
  expect((await extensions()).servers).toMatchObject([{ name: 'everything', tools: [], offered: [] }])

  const looked = await decided('extension', 'look', 'everything')
  expect(looked.calls[0]?.result).toContain('echo')
  const [server] = (await extensions()).servers
  expect(server?.offered.length).toBeGreaterThan(10)
  expect((await ask('everything__echo', { message: 'x' })).calls[0]?.result).toContain(
    'no tool named everything__echo',
  )

  const asked = await command('extension', 'accept', 'everything', '--tool', 'echo=0', '--tool', 'get-sum=2')
  const { approval } = await gateway.client.approval(asked.code ?? '')
  expect(approval.card).toMatchObject({ tool: 'accept_server_tools', tier: 3 })
  const code = approval.card.preview.kind === 'code' ? approval.card.preview.code : ''
  expect(code).toContain('=== echo: “Looks” (T0)')
  expect(code).toContain('=== get-sum: “Crosses a boundary” (T2)')
  await command('approval', 'approve', asked.code ?? '', '--yes')
  await settledRun(gateway.client, approval.run)
}, 240_000)

test('its tools are used by the agent, at the accepted tiers, and what they answer is a stranger’s', async () => {
  const echoed = await ask('everything__echo', { message: 'hello' })
  expect(echoed.calls).toMatchObject([{ tool: 'call_server_tool', tier: 0, outcome: 'ok' }])
  expect(echoed.calls[0]?.result).toContain('Echo: hello')
  expect(echoed.approvals).toEqual([])

  const summed = await ask('everything__get_sum', { a: 2, b: 3 })
  const [question] = summed.approvals
  expect(question?.card).toMatchObject({ tool: 'call_server_tool', tier: 2 })
  await approve(installation, gateway.client, question?.id ?? '')
  const ended = await settledRun(gateway.client, summed.run.id)
  expect(ended.calls[0]?.result).toContain('5')
  expect((await ask('everything__get_sum', { a: 'two' })).calls[0]?.result).toMatch(/number/)
}, 120_000)

test('it is there after a gateway that was killed, and paused and resumed', async () => {
  await gateway.kill()
  gateway = await installation.start()
  expect((await ask('everything__echo', { message: 'again' })).calls[0]?.result).toContain('Echo: again')
  expect((await command('extension', 'pause', 'everything')).code).toBeUndefined()
  expect((await ask('everything__echo', { message: 'x' })).calls[0]?.result).toContain('no tool named')
  await decided('extension', 'resume', 'everything')
  expect((await ask('everything__echo', { message: 'on' })).calls[0]?.result).toContain('Echo: on')
}, 120_000)

test('it is there for automations, which end at their tier', async () => {
  const say = (name: string, args: JsonObject) =>
    JSON.stringify({ name: 'use_tool', args: { tool: name, args } })
  const scheduled = async (prompt: string, tierMax: 0 | 3) => {
    const { schedule } = await gateway.client.addSchedule({
      name: `Echo ${tierMax} ${prompt.length}`,
      trigger: { kind: 'cron', expression: '0 3 1 1 *', zone: 'UTC' },
      does: { kind: 'prompt', text: prompt },
      tierMax,
    } as never)
    await gateway.client.runSchedule(schedule.id)
    const run = await vi.waitFor(
      async () => {
        const [occurrence] = await gateway.client.occurrences(schedule.id)
        expect(occurrence?.run).toBeTruthy()
        return occurrence?.run ?? ''
      },
      { timeout: 50_000, interval: 100 },
    )
    return settledRun(gateway.client, run, 'either')
  }
  const looked = await scheduled(say('everything__echo', { message: 'by night' }), 0)
  expect(looked.calls[0]?.result).toContain('Echo: by night')
  const refused = await scheduled(say('everything__get_sum', { a: 1, b: 1 }), 0)
  expect(refused.calls[0]?.result).toContain('is limited to “Looks”')
}, 120_000)

test('it is switched off and on with its group', async () => {
  await command('tool', 'disable', 'servers')
  expect((await ask('everything__echo', { message: 'x' })).calls[0]?.result).toMatch(/switched off/)
  await command('tool', 'enable', 'servers')
  expect((await ask('everything__echo', { message: 'on' })).calls[0]?.result).toContain('Echo: on')
}, 120_000)

test('the terminal tells of it, and says what deserves a look', async () => {
  expect(await countersign(installation, ['extension', 'list'])).toContain('everything')
  const shown = await countersign(installation, ['extension', 'show', 'everything'])
  for (const word of ['echo', 'get-sum', 'Offered', 'stdio']) expect(shown).toContain(word)
  expect(await countersign(installation, ['extension', 'audit'])).toContain('runs without asking: echo')
  const one = await countersign(installation, ['extension', 'show', 'everything', '--tool', 'echo'])
  expect(one).toContain('"input"')
  for (const preset of Object.keys(serverPresets))
    expect(await countersign(installation, ['extension', 'add', '--help'])).toContain(preset)
}, 120_000)

test('tiers are tried on the calls that were made, and nothing is changed by it', async () => {
  const { told } = await command(
    'extension',
    'try',
    'everything',
    '--tool',
    'echo=3',
    '--tool',
    'get-sum=0',
    '--tool',
    'get-env',
  )
  const [echo, sum, never] = (told as unknown as TiersTried).tools
  expect(echo?.before.allow).toBeGreaterThan(2)
  expect(echo?.after.ask).toBeGreaterThan(0)
  expect(echo?.after.allow).toBe(0)
  expect(sum?.before.ask).toBeGreaterThan(0)
  expect(sum?.after).toMatchObject({ ask: 0 })
  expect(never).toMatchObject({ tool: 'get-env', calls: 0 })
  const shown = await countersign(installation, ['extension', 'try', 'everything', '--tool', 'echo=3'])
  expect(shown).toContain('Nothing was changed')
  const [server] = (await extensions()).servers
  expect(server?.tools.map(({ listed, tier }) => [listed.name, tier])).toEqual([
    ['echo', 0],
    ['get-sum', 2],
  ])
  const differs = await countersign(installation, ['extension', 'diff', 'everything'])
  expect(differs).toContain('=== get-env: not accepted')
  expect(differs).not.toContain('=== echo')
}, 120_000)

test('what it was used for is told, and what never was', async () => {
  const { told } = await command('extension', 'audit')
  const use = told['use'] as unknown as readonly { part: string; calls: number; lastAt: string | null }[]
  expect(use.find(({ part }) => part === 'echo')?.calls).toBeGreaterThan(2)
  expect(use.find(({ part }) => part === 'get-sum')).toMatchObject({ calls: 1 })
  await decided('extension', 'accept', 'everything', '--tool', 'get-env=3')
  const text = await countersign(installation, ['extension', 'audit'])
  expect(text).toMatch(/Never used\n +everything +get-env +since /)
  const [last] = await gateway.client.extensionCalls('everything')
  expect(last).toMatchObject({ part: 'echo', outcome: 'ok', ledger: expect.any(Number) })
  expect((await gateway.client.run(last?.run ?? '')).calls.map(({ id }) => id)).toContain(last?.id)
  expect(await gateway.client.extensionCalls('nobody')).toEqual([])
}, 120_000)

test('a pinned server is not updated until it is let go', async () => {
  expect((await command('extension', 'pin', 'everything')).code).toBeUndefined()
  expect((await extensions()).servers).toMatchObject([{ pinned: true }])
  const update = await command('extension', 'update', 'everything', '--data')
  expect(JSON.stringify(update.told)).toContain('extension unpin everything')
  expect(JSON.stringify(await command('extension', 'diff', 'everything', '--data'))).toContain(
    '+ Own files  yes',
  )
  await decided('extension', 'unpin', 'everything')
  expect((await command('extension', 'update', 'everything', '--data')).code).toBeDefined()
}, 120_000)

test('an entry of an index fills in what is let in, and the usual card follows', async () => {
  const path = join(files, '..', `index-${process.pid}.json`)
  const entries = [
    {
      name: 'tickets',
      kind: 'server',
      description: 'Tickets.',
      source: { kind: 'address', url: 'https://tickets.example.com/mcp' },
      asks: { secrets: { TICKETS: 'a token' } },
    },
  ]
  writeFileSync(
    path,
    JSON.stringify({ format: 'countersign-extension-index-1', title: 'House', version: 1, entries }),
  )
  expect((await command('extension', 'search')).told).toMatchObject({ ok: false })
  await command('extension', 'index', 'add', 'house', path)
  const { code } = await command('extension', 'add', '--from', 'house/tickets')
  const { approval } = await gateway.client.approval(code ?? '')
  expect(approval.card).toMatchObject({ tool: 'add_server', tier: 3 })
  expect(JSON.stringify(approval.card.preview)).toContain('Reached at: https://tickets.example.com/mcp')
  expect((await extensions()).servers.map(({ name }) => name)).toEqual(['everything'])
  rmSync(path)
}, 120_000)

test('nothing of it is left when it is removed', async () => {
  await decided('extension', 'remove', 'everything')
  expect(await extensions()).toEqual({ servers: [], skills: [], proposals: [] })
  const folder = join(installation.paths.executor, 'extensions')
  expect(existsSync(folder)).toBe(true)
  expect(readdirSync(join(folder, 'trees'))).toEqual([])
  expect((await ask('everything__echo', { message: 'x' })).calls[0]?.result).toContain('no tool named')
}, 120_000)
