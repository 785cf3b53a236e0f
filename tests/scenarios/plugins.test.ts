import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestPlatform } from '@countersign/channels/testing'
import type { JsonObject, RunDetail } from '@countersign/contract'
import {
  countersign,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPlatform } from '../../examples/plugin-notes/test/platform.ts'
import { waitFor } from './assistant-scenario.ts'

let installation: Installation
let gateway: GatewayProcess
let notes: TestPlatform
let root: string
let folder: string
/** How many commands the author gave. */
let commands = 0

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'plugins-'))
  folder = join(root, 'recipes')
  notes = await openPlatform()
  installation = await openInstallation({
    environment: { COUNTERSIGN_LOCAL_TARGETS: notes.host ?? '' },
    script({ lastUser, lastResults }) {
      if (lastResults.length > 0) return { text: lastResults.map(({ text }) => text).join('\n---\n') }
      return lastUser.startsWith('{') ? { calls: [JSON.parse(lastUser)] } : { text: `You said: ${lastUser}` }
    },
  })
  gateway = await installation.start()
}, 240_000)
afterAll(async () => {
  await installation?.close()
  await notes?.close()
  rmSync(root, { recursive: true, force: true })
})

type Told = JsonObject & {
  readonly error?: { readonly message?: string; readonly details?: { code?: string } }
}

async function command(...words: string[]): Promise<Told> {
  commands += 1
  const text = await countersign(installation, ['--json', ...words]).catch(
    (error: { stdout?: string; stderr?: string; message: string }) => {
      if (error.stdout) return error.stdout
      throw new Error(`${error.message}\n${error.stderr ?? ''}`)
    },
  )
  return JSON.parse(text) as Told
}

/** Gives the command, reads its card, and approves it. */
async function approved(...words: string[]): Promise<{ readonly card: string; readonly run: RunDetail }> {
  const told = await command(...words)
  const code = told.error?.details?.code ?? ''
  expect(code, JSON.stringify(told)).not.toBe('')
  const { approval } = await gateway.client.approval(code)
  const { preview } = approval.card
  await command('approval', 'approve', code, '--yes')
  const run = await settledRun(gateway.client, approval.run)
  return { card: preview.kind === 'code' ? preview.code : preview.kind === 'text' ? preview.text : '', run }
}

async function ask(name: string, args: JsonObject): Promise<string> {
  const text = JSON.stringify({ name: 'use_tool', args: { tool: name, args } })
  const sent = await gateway.client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
  const { calls } = await settledRun(gateway.client, sent.run ?? '', 'either')
  return calls[0]?.result ?? ''
}

const amounts = { amounts: [200, 2], from: 4, to: 6 }

test('a stranger makes a plugin, tests it, lets it in, uses it, changes it and removes it', async () => {
  const began = performance.now()
  await command('plugin', 'new', 'recipes', '--folder', root)
  const tested = await command('plugin', 'test', folder)
  expect(tested.error, JSON.stringify(tested)).toBeUndefined()

  const added = await approved('extension', 'add', 'recipes', '--plugin', folder)
  expect(added.card).toContain('Reaches no host, no folder and no secret')
  expect(added.card).toContain('Tool scale: “Looks” (T0)')
  expect(added.card).toContain('| src/plugin.ts')
  expect(await ask('recipes__scale', amounts)).toContain('300, 3')

  const file = join(folder, 'src', 'plugin.ts')
  writeFileSync(file, readFileSync(file, 'utf8').replace("join(', ')", "join(' and ')"))
  const manifest = join(folder, 'countersign.plugin.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('0.1.0', '0.2.0'))
  const differs = await command('extension', 'diff', 'recipes', '--plugin', folder)
  expect(differs['rights']).toContain('+ Version: 0.2.0')
  const updated = await approved('extension', 'update', 'recipes', '--plugin', folder)
  expect(updated.card).toContain("join(' and ')")
  expect(await ask('recipes__scale', amounts)).toContain('300 and 3')

  await approved('extension', 'remove', 'recipes')
  expect((await gateway.client.extensions()).servers).toEqual([])
  const seconds = (performance.now() - began) / 1_000
  console.log(
    `From nothing to a plugin that was used, changed and removed: ${commands} commands, ${seconds.toFixed(0)} s`,
  )
  expect(commands).toBe(9)
}, 280_000)

test('an archive is the plugin too, and a plugin that lists something else is stopped', async () => {
  const archive = join(root, 'recipes.tgz')
  await command('plugin', 'pack', folder, '--out', archive)
  await approved('extension', 'add', 'recipes', '--plugin', archive)
  expect(await ask('recipes__scale', amounts)).toContain('300 and 3')
  const file = join(folder, 'src', 'plugin.ts')
  writeFileSync(file, readFileSync(file, 'utf8').replace('Scale the amounts', 'Send the amounts'))
  await approved('extension', 'update', 'recipes', '--plugin', folder)
  expect(await ask('recipes__scale', amounts)).toContain('lists other tools than its manifest')
  const { plugins } = (await command('extension', 'list')) as { plugins?: readonly JsonObject[] }
  expect(plugins?.[0]?.['state']).toContain('stopped')
  const tested = await command('plugin', 'test', folder)
  expect(tested.error?.message).toContain('manifest')
  await approved('extension', 'remove', 'recipes')
})

test('what is changed while it is watched is tested again, and its manifest is kept right', async () => {
  const program = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))
  const child = spawn(process.execPath, [program, 'plugin', 'dev', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const heard = (text: string, times: number) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (said.split(text).length > times) resolve()
      }
      child.stdout.on('data', look)
      child.once('exit', () => reject(new Error(`It ended: ${said}`)))
      look()
    })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  try {
    await heard('Waiting for changes', 1)
    const file = join(folder, 'src', 'plugin.ts')
    writeFileSync(file, readFileSync(file, 'utf8').replace('Send the amounts', 'Scale all amounts'))
    await heard('Waiting for changes', 2)
    expect(readFileSync(join(folder, 'countersign.plugin.json'), 'utf8')).toContain('Scale all amounts')
    expect(existsSync(join(folder, 'src', 'plugin.ts'))).toBe(true)
    expect(readdirSync(folder)).not.toContain('recipes.tgz')
  } finally {
    child.removeAllListeners('exit')
    child.kill('SIGKILL')
  }
})

test('a plugin is a channel: people are answered there, and it stops when the plugin goes', async () => {
  const place = join(root, 'notes')
  cpSync(join(import.meta.dirname, '../../examples/plugin-notes'), place, { recursive: true })
  const manifest = join(place, 'countersign.plugin.json')
  writeFileSync(
    manifest,
    readFileSync(manifest, 'utf8').replace('"notes.example"', JSON.stringify(notes.host)),
  )
  const { card } = await approved('extension', 'add', 'notes', '--plugin', place)
  expect(card).toContain('Is the channel plugin-notes, "Notes"')
  expect((await gateway.client.channelKinds()).map(({ kind }) => kind)).toContain('plugin-notes')

  const { settings, secrets, people, chats } = notes
  await gateway.client.storeChannel('kitchen', { kind: 'plugin-notes', settings, secrets, choices: {} })
  const stands = async (shape: object) => {
    const [channel] = await gateway.client.channels()
    expect(channel).toMatchObject({ name: 'kitchen', ...shape })
  }
  await waitFor(() => stands({ state: 'connected', problem: null, account: { id: 'us', name: 'assistant' } }))
  const shown = () => notes.shown(chats.ana).map(({ text }) => text)
  await notes.says(people.ana, chats.ana, 'Hello, may I?')
  const codeAfter = (known: string) =>
    waitFor(() => {
      const all =
        shown()
          .join('\n')
          .match(/[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}/g) ?? []
      const found = all.find((each) => each !== known) ?? ''
      expect(found).not.toBe('')
      return found
    })
  const code = await codeAfter('')
  await gateway.client.admitPeer({ code, role: 'operator', limits: {} })
  await notes.says(people.ana, chats.ana, 'Is it warm?')
  await waitFor(() => expect(shown()).toContain('You said: Is it warm?'))

  await approved('extension', 'remove', 'notes')
  const gone = { state: 'paused', problem: expect.stringContaining('was removed') as unknown }
  await waitFor(() => stands(gone))
  const before = shown().length
  await notes.says(people.ana, chats.ana, 'Are you there?')
  // What comes back under its name is not given the credential.
  await approved('extension', 'add', 'notes', '--plugin', place)
  await waitFor(() => stands({ state: 'paused', problem: null }))
  expect(shown().length).toBe(before)
  await gateway.client.chooseChannel('kitchen', { paused: false })
  // It could be another one, so nobody is let in there any more.
  await waitFor(() => stands({ state: 'connected', people: 0 }))
  await notes.says(people.ana, chats.ana, 'May I again?')
  await gateway.client.admitPeer({ code: await codeAfter(code), role: 'operator', limits: {} })
  await notes.says(people.ana, chats.ana, 'Is it cold?')
  await waitFor(() => expect(shown()).toContain('You said: Is it cold?'))
  await gateway.client.removeChannel('kitchen')
  await approved('extension', 'remove', 'notes')
}, 280_000)
