import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunDetail } from '@countersign/contract'
import { type SignedInServer, startSignedInServer } from '@countersign/executor/signed-in-server'
import { type GatewayProcess, type Installation, openInstallation, settledRun } from '@countersign/harness'
import { afterAll, beforeAll, expect, test } from 'vitest'

let far: SignedInServer
let installation: Installation
let gateway: GatewayProcess
let said = ''

beforeAll(async () => {
  far = await startSignedInServer()
  installation = await openInstallation({
    environment: { COUNTERSIGN_LOCAL_TARGETS: far.ports.map((port) => `127.0.0.1:${port}`).join(',') },
    script: ({ lastUser, lastResults }) =>
      lastResults.length > 0
        ? { text: lastResults.map(({ text }) => text).join('\n') }
        : { calls: [JSON.parse(lastUser)] },
  })
  gateway = await installation.start()
}, 240_000)
afterAll(async () => {
  await installation?.close()
  await far?.close()
})

const cliMain = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))

interface Ran {
  readonly exit: number | null
  readonly text: string
}

/** The command as the operator runs it. What it says on the way is handed on as it comes. */
async function countersign(
  words: readonly string[],
  hear: (so: string) => void = () => undefined,
): Promise<Ran> {
  const env = { PATH: process.env['PATH'], COUNTERSIGN_HOME: installation.home }
  const child = spawn(process.execPath, [cliMain, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
      hear(text)
    })
  const exit = await new Promise<number | null>((resolve) => child.once('close', resolve))
  said += text
  return { exit, text }
}

/** A person at the page: once the whole address stands there, follows it to where it leads. */
function browser(pages: string[] = []) {
  return (so: string) => {
    const address = /(http:\/\/127\.0\.0\.1:\d+\/authorize\S+)\s/.exec(so)?.[1]
    if (address === undefined || pages.length > 0) return
    pages.push(address)
    void fetch(address)
  }
}

/** Approves what the command asks for at the terminal, and waits for its end. */
async function approved({ text }: Ran): Promise<RunDetail> {
  const code = /approval approve ([0-9A-Z]{4})/.exec(text)?.[1] ?? ''
  const { approval } = await gateway.client.approval(code)
  expect((await countersign(['approval', 'approve', code, '--yes'])).exit).toBe(0)
  return settledRun(gateway.client, approval.run)
}

async function ask(tool: string): Promise<RunDetail> {
  const text = JSON.stringify({ name: 'use_tool', args: { tool, args: {} } })
  const sent = await gateway.client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
  return settledRun(gateway.client, sent.run ?? '', 'either')
}

test('nobody is asked who lets in before the operator accepts it, and no browser is led there before the card', async () => {
  await approved(await countersign(['extension', 'add', 'far', '--address', far.url]))
  const alone = await countersign(['extension', 'sign-in', 'far'])
  expect(alone.exit).not.toBe(0)
  expect(alone.text).toContain(`add --provider ${far.provider}`)
  expect(far.asked.filter((each) => each.includes('provider'))).toEqual([])

  const pages: string[] = []
  const asked = await countersign(['extension', 'sign-in', 'far', '--provider', far.provider], browser(pages))
  expect(asked.text).toContain('When it is approved: `countersign extension sign-in far`')
  expect(pages).toEqual([])
  const code = /approval approve ([0-9A-Z]{4})/.exec(asked.text)?.[1] ?? ''
  const { approval } = await gateway.client.approval(code)
  const words = approval.card.preview.kind === 'text' ? approval.card.preview.text : ''
  expect(approval.card).toMatchObject({ tool: 'add_server', tier: 3 })
  for (const place of [far.provider, `${far.provider}/authorize`, `${far.provider}/token`, 'notes'])
    expect(words).toContain(place)
  await approved(asked)
}, 240_000)

test('it is signed in to with a browser, used, and the token is nowhere but in the vault', async () => {
  const signed = await countersign(['extension', 'sign-in', 'far'], browser())
  expect(signed, signed.text).toMatchObject({ exit: 0 })
  await approved(await countersign(['extension', 'look', 'far']))
  await approved(await countersign(['extension', 'accept', 'far', '--tool', 'hello=0']))
  far.endAccess()
  const answer = (await ask('far__hello')).calls[0]
  expect(answer?.result).toContain('hello, you showed ‹secret:server-oauth.far›')
  expect((await countersign(['extension', 'show', 'far'])).text).toContain(far.provider)
}, 240_000)

test('it says how to sign in again, and is signed out of', async () => {
  far.revokeAll()
  expect((await ask('far__hello')).calls[0]?.result).toContain('`countersign extension sign-in far`')
  expect((await countersign(['extension', 'sign-in', 'far'], browser())).exit).toBe(0)
  expect((await ask('far__hello')).calls[0]).toMatchObject({ outcome: 'ok' })
  const out = await countersign(['extension', 'sign-out', 'far'])
  expect(out.text).toContain('Signed out of far')
  expect((await gateway.client.secrets()).map(({ name }) => name)).toEqual([])
  const ledger = await new Response(await gateway.client.exportLedger()).text()
  for (const type of ['extension.signed_in', 'extension.signed_out']) expect(ledger).toContain(type)
}, 240_000)

test('another provider that answers is refused', async () => {
  far.set({ iss: 'https://other.test' })
  const refused = await countersign(['extension', 'sign-in', 'far'], browser())
  expect(refused.exit).not.toBe(0)
  expect(refused.text).toContain('another provider than the one that you accepted')
  far.set({ iss: null })
  expect((await countersign(['extension', 'sign-in', 'far'], browser())).exit).not.toBe(0)
}, 120_000)

test('no token is in what was said, logged, written or shown to a model', async () => {
  const ledger = await new Response(await gateway.client.exportLedger()).text()
  const places = { said, ledger, log: gateway.log(), model: JSON.stringify(installation.model.requests) }
  expect(far.given.length).toBeGreaterThan(4)
  for (const [place, text] of Object.entries(places))
    expect([place, far.given.filter((token) => text.includes(token))]).toEqual([place, []])
  const files = readdirSync(installation.home, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  )
  const found = files.flatMap(({ parentPath, name }) => {
    const bytes = readFileSync(join(parentPath, name))
    return far.given.filter((token) => bytes.includes(token)).map((token) => [name, token])
  })
  expect(files.length).toBeGreaterThan(20)
  expect(found).toEqual([])
}, 120_000)
