import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject, RunDetail } from '@countersign/contract'
import { type MailServers, startMailServers } from '@countersign/executor/mail-servers'
import { type OAuthProvider, startOAuthProvider } from '@countersign/executor/oauth-provider'
import {
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from './assistant-scenario.ts'

let provider: OAuthProvider
let servers: MailServers
let installation: Installation
let gateway: GatewayProcess
let said = ''

beforeAll(async () => {
  provider = await startOAuthProvider()
  provider.set({ rotates: true, wantsSecret: true })
  servers = await startMailServers({ introspectionUrl: provider.introspectionUrl })
  const { imap, smtp } = servers.ports
  const targets = [
    `localhost:${imap}`,
    `localhost:${smtp}`,
    `127.0.0.1:${provider.port}`,
    `localhost:${provider.port}`,
  ]
  installation = await openInstallation({
    environment: { COUNTERSIGN_LOCAL_TARGETS: targets.join(',') },
    script: ({ lastUser, lastResults }) => {
      if (lastResults.length > 0) return { text: `Done: ${lastResults.at(-1)?.text}` }
      return lastUser.startsWith('{"name"') ? { calls: [JSON.parse(lastUser)] } : { text: 'Nothing.' }
    },
  })
  gateway = await installation.start()
}, 120_000)
afterAll(async () => {
  await installation?.close()
  await servers?.close()
  await provider?.close()
})

const cliMain = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))

/** The command as the operator runs it. What it says on the way is handed on as it comes. */
async function countersign(
  words: readonly string[],
  { input = '', hear = () => undefined }: { input?: string; hear?: (so: string) => void } = {},
): Promise<{ readonly exit: number | null; readonly text: string }> {
  const env = { PATH: process.env['PATH'], COUNTERSIGN_HOME: installation.home }
  const child = spawn(process.execPath, [cliMain, ...words], { env })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
      hear(text)
    })
  child.stdin.end(input)
  const exit = await new Promise<number | null>((resolve) => child.once('close', resolve))
  said += text
  return { exit, text }
}

/** A person at the page: once the whole address stands there, follows it to where it leads. */
function browser(visit: (address: string) => Promise<unknown> = (address) => fetch(address)) {
  let gone = false
  return (so: string) => {
    const address = /(http:\/\/127\.0\.0\.1:\d+\/authorize\S+)\s/.exec(so)?.[1]
    if (address === undefined || gone) return
    gone = true
    void visit(address)
  }
}

async function ask(name: string, args: JsonObject): Promise<RunDetail> {
  const text = JSON.stringify({ name, args })
  const sent = await gateway.client.send({ key: crypto.randomUUID(), session: null, text, mode: 'auto' })
  return settledRun(gateway.client, sent.run ?? '', 'either')
}

const add = () => {
  const { client, port } = provider
  const { imap, smtp } = servers.ports
  const words = `mail add home --address me@home.test --security none
    --imap localhost:${imap} --smtp localhost:${smtp}
    --oauth other --client-id ${client.clientId} --client-secret
    --authorization-url ${client.authorizationUrl} --token-url http://localhost:${port}/token
    --device-url ${client.deviceUrl} --scope`
  return [...words.split(/\s+/), 'mail offline_access']
}

describe('an e-mail account that signs in by OAuth2', () => {
  test('is added with a browser, and reads and sends', async () => {
    const added = await countersign(add(), { input: provider.clientSecret, hear: browser() })
    expect(added).toMatchObject({ exit: 0 })
    expect(added.text).toContain('in the vault as mail-oauth.home')
    expect(await gateway.client.mailAccounts()).toMatchObject([{ name: 'home', signedIn: true }])
    await servers.deliver('me@home.test', 'From: a@one.test\nSubject: For a token\n\nRead me.')
    await waitFor(async () => {
      const [call] = (await ask('list_emails', { account: 'home' })).calls
      expect(call).toMatchObject({ outcome: 'ok', tier: 0 })
      expect(call?.result).toContain('For a token')
    })
    const letter = { account: 'home', to: 'ana@kovac.test', subject: 'By token', body: 'Hello.' }
    const sent = await ask('send_email', letter)
    const [asked] = sent.approvals
    const { approval } = await gateway.client.approval(asked?.id ?? '')
    expect(JSON.stringify(approval)).not.toContain(provider.clientSecret)
    await approve(installation, gateway.client, asked?.id ?? '')
    expect((await settledRun(gateway.client, sent.run.id, 'either')).calls).toMatchObject([{ outcome: 'ok' }])
    expect((await countersign(['mail', 'test', 'home'])).text).toContain('Signed in at both servers')
  }, 240_000)

  test('says how to sign in again when the provider says no, and doctor finds it', async () => {
    provider.revokeAll()
    const first = (await ask('list_emails', { account: 'home' })).calls[0]
    expect(first).toMatchObject({ outcome: 'failed' })
    expect(first?.result).toContain('Sign in again: `countersign mail sign-in home`')
    const later = (await ask('list_emails', { account: 'home' })).calls[0]
    expect(later?.result).toContain('countersign mail sign-in home')
    expect((await countersign(['mail', 'list'])).text).toContain('signed out')
    const findings = await gateway.client.findings()
    expect(findings.find(({ id }) => id === 'mail-accounts')).toMatchObject({
      severity: 'warning',
      evidence: 'not signed in: home',
      fix: 'Sign in with `countersign mail sign-in home`.',
    })
  }, 120_000)

  test('signs in again with a code, after an answer with another state was refused', async () => {
    const answers: number[] = []
    const stranger = browser(async (address) => {
      const redirect = new URL(address).searchParams.get('redirect_uri') ?? ''
      for (const query of ['?code=mine&state=other', '?code=mine', '', 'other?code=mine'])
        answers.push((await fetch(`${redirect}${query}`)).status)
      const posted = await fetch(address, { redirect: 'manual' })
      answers.push((await fetch(posted.headers.get('location') ?? '', { method: 'POST' })).status)
    })
    const waited = await countersign(['mail', 'sign-in', 'home', '--wait', '3s'], { hear: stranger })
    expect(waited.exit).toBe(7)
    expect(waited.text).toContain('Nobody signed in.')
    expect(answers).toEqual([400, 400, 400, 400, 400])

    let typed = ''
    const byCode = await countersign(['mail', 'sign-in', 'home', '--device'], {
      hear(so) {
        const code = /and type\s+(\S{8})\s/.exec(so)?.[1] ?? ''
        if (code !== '' && typed === '') provider.typeCode((typed = code))
      },
    })
    expect(byCode).toMatchObject({ exit: 0 })
    expect((await ask('list_emails', { account: 'home' })).calls).toMatchObject([{ outcome: 'ok' }])
    const findings = await gateway.client.findings()
    expect(findings.find(({ id }) => id === 'mail-accounts')).toMatchObject({ severity: 'ok' })
  }, 120_000)

  test('leaves no token where anybody could read one', async () => {
    const secrets = [...provider.given, provider.clientSecret]
    expect(provider.given.filter((token) => token.startsWith('access')).length).toBeGreaterThan(2)
    const ledger = await new Response(await gateway.client.exportLedger()).text()
    expect(ledger).toContain('mail.account_signed_in')
    const places = { said, ledger, log: gateway.log(), model: JSON.stringify(installation.model.requests) }
    for (const [place, text] of Object.entries(places))
      expect([place, secrets.filter((secret) => text.includes(secret))]).toEqual([place, []])
    // The database too: whatever was written anywhere, only the vault has it, sealed.
    const files = readdirSync(installation.home, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    expect(files.length).toBeGreaterThan(20)
    const found = files.flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      const bytes = readFileSync(path)
      return secrets.filter((secret) => bytes.includes(secret)).map((secret) => [path, secret.split('.')[0]])
    })
    expect(found).toEqual([])
    // With a password instead, nothing of the sign-in is kept.
    const { name: _name, secret: _secret, ...account } = servers.account('home', 'me@home.test')
    const changed = await gateway.client.storeMailAccount('home', { ...account, password: servers.password })
    expect(changed).toMatchObject({ replaced: true, account: { secret: 'mail.home', signedIn: true } })
    expect((await gateway.client.secrets()).map(({ name }) => name)).toEqual(['mail.home'])
    await gateway.client.removeMailAccount('home')
    expect((await gateway.client.secrets()).map(({ name }) => name)).toEqual([])
  }, 60_000)
})
