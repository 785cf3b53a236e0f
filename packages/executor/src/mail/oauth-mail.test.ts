import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ApprovalSubject,
  type MailAccount,
  mailDestinations,
  mailScheme,
  mailTools,
  type UrlResource,
} from '@countersign/contract'
import type { OutgoingMail } from '@countersign/tools'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mailCapabilities } from '../capabilities/mail.ts'
import { createDocumentPrograms, type DocumentPrograms } from '../documents/document-programs.ts'
import { createEgress, defaultEgressLimits } from '../egress/egress.ts'
import { createAccessTokens } from '../oauth/access-tokens.ts'
import { createOAuthServer } from '../oauth/oauth-server.ts'
import { type OAuthProvider, startOAuthProvider } from '../oauth/testing/oauth-provider.ts'
import { probeBubblewrap } from '../sandbox/bubblewrap.ts'
import { createSecretsAccess } from '../vault/secrets-access.ts'
import type { Vault } from '../vault/vault.ts'
import { openVaultAt, type VaultPaths } from '../vault/vault-paths.ts'
import { createOutbox } from './outbox.ts'
import { type MailServers, startMailServers } from './testing/mail-servers.ts'

let provider: OAuthProvider
let servers: MailServers
let documents: DocumentPrograms
let folder: string
let paths: VaultPaths
let vault: Vault
let clock: Date

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oauth-mail-'))
  provider = await startOAuthProvider()
  servers = await startMailServers({ introspectionUrl: provider.introspectionUrl })
  const probe = await probeBubblewrap({ workspace: folder, hidden: [] })
  if (probe.kind !== 'available') throw new Error(probe.reason)
  documents = createDocumentPrograms(probe.sandbox)
}, 60_000)
afterAll(async () => {
  await servers?.close()
  await provider?.close()
  rmSync(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  const home = mkdtempSync(join(folder, 'vault-'))
  paths = {
    file: join(home, 'secrets.age'),
    key: join(home, 'vault.key'),
    record: join(home, 'vault.json'),
    account: 'test',
    wanted: 'file',
  }
  vault = await openVaultAt(paths)
  clock = new Date('2026-03-01T12:00:00Z')
})
afterEach(() => provider.set({ rotates: false, lifeSeconds: 3_600, beforeReply: async () => undefined }))

const { signal } = new AbortController()

function me(change: Partial<MailAccount> = {}): MailAccount {
  const account = servers.account('home', 'me@home.test')
  return { ...account, secret: 'mail-oauth.home', oauth: provider.client, ...change }
}

async function signIn(value = provider.grant('me@home.test'), account = me()): Promise<string> {
  const destinations = mailDestinations(account)
  await vault.put('mail-oauth.home', { value, description: '', destinations, tools: [...mailTools] })
  return value
}

const kept = async () => {
  const open = await vault.openFor('list_emails')
  return open.value('mail-oauth.home', mailDestinations(me())[0] as never)
}

/** One executor: what it holds in memory lives as long as it. */
function openParts() {
  const access = createSecretsAccess(paths)
  const open = [servers.ports.imap, servers.ports.smtp].map((port) => ({ host: 'localhost', port }))
  const places = { ports: [], allowPrivate: [...open, { host: '127.0.0.1', port: provider.port }] }
  const egress = createEgress({ allow: places, limits: defaultEgressLimits })
  const tokens = createAccessTokens(createOAuthServer(egress), () => clock)
  const outbox = createOutbox(join(folder, 'outbox'), () => new Date())
  const mailbox = (account: MailAccount, terms: { nonce?: string; named?: readonly string[] } = {}) => {
    const { nonce = 'nonce-1', named = ['IMAP', 'SMTP', 'OAUTH'] } = terms
    const at = (method: string) => {
      const { host, port, security } = method === 'IMAP' ? account.imap : account.smtp
      return method === 'OAUTH'
        ? { scheme: 'http' as const, host: '127.0.0.1', port: provider.port }
        : { scheme: mailScheme(security), host, port }
    }
    const resources = named.map(
      (method): UrlResource => ({
        type: 'url',
        ...at(method),
        method,
        addressClass: 'name',
        redirects: 'refused',
        carries: 'more',
      }),
    )
    const tool = { name: 'list_emails' }
    const secrets = ['mail-oauth.home']
    const subject = { resources, sandbox: 'documents:x', nonce, tool, secrets } as unknown as ApprovalSubject
    const lookup = async () => ['127.0.0.1']
    return mailCapabilities(subject, {
      places,
      documents,
      outbox,
      tokens,
      grants: access.grantsFor(subject),
      lookup,
    })
  }
  return { access, mailbox }
}

const inbox = { folder: 'INBOX', limit: 50, unreadOnly: false }
const letter: OutgoingMail = {
  to: ['ana@kovac.test'],
  cc: [],
  bcc: [],
  subject: 'By token',
  body: 'Hello.',
  inReplyTo: null,
  references: [],
  attachments: [],
}

describe('an account that signs in by OAuth2', () => {
  it('lists, reads and sends with one token that is kept until it ends', async () => {
    await servers.deliver('me@home.test', 'From: a@one.test\nSubject: For the token\n\nRead me.')
    await signIn()
    const before = provider.asked('refresh_token')
    const account = me()
    const mailbox = openParts().mailbox(account, { nonce: 'nonce-token' })
    let found: Awaited<ReturnType<typeof mailbox.list>>
    for (let left = 100; ; left -= 1) {
      found = await mailbox.list(account, inbox, signal)
      if (found.kind === 'failed') throw new Error(`${found.reason}\n${servers.log()}`)
      if (found.mails.length > 0 || left === 0) break
      await sleep(100)
    }
    const place = found.mails[0]?.place
    if (!place) throw new Error(servers.log())
    expect(await mailbox.read(account, place, signal)).toMatchObject({ mail: { text: 'Read me.' } })
    expect(await mailbox.send(account, letter, signal)).toMatchObject({ kind: 'sent', unfiled: null })
    expect(servers.log()).toContain('sasl_method=XOAUTH2')
    expect(await mailbox.check(account, signal)).toMatchObject({ kind: 'checked' })
    expect(provider.asked('refresh_token') - before).toBe(1)
  }, 60_000)

  it('asks for another token when one has ended, by the clock or before its time', async () => {
    await signIn()
    const account = me()
    const mailbox = openParts().mailbox(account)
    const asked = () => provider.asked('refresh_token')
    const start = asked()
    expect(await mailbox.check(account, signal)).toMatchObject({ kind: 'checked' })
    clock = new Date(clock.getTime() + 3_541_000)
    expect(await mailbox.check(account, signal)).toMatchObject({ kind: 'checked' })
    expect(asked() - start).toBe(2)
    provider.endAccess()
    expect(await mailbox.check(account, signal)).toMatchObject({ kind: 'checked' })
    expect(asked() - start).toBe(3)
  }, 60_000)

  it('sends although its token ended between reading and sending', async () => {
    await signIn()
    const account = me()
    const mailbox = openParts().mailbox(account, { nonce: 'nonce-between' })
    await mailbox.list(account, inbox, signal)
    provider.endAccess()
    expect(await mailbox.send(account, { ...letter, subject: 'Between' }, signal)).toMatchObject({
      kind: 'sent',
      unfiled: null,
    })
  }, 60_000)

  it('stores a rotated token, and asks once however many want one', async () => {
    provider.set({ rotates: true })
    const first = await signIn()
    const account = me()
    const { mailbox } = openParts()
    const start = provider.asked('refresh_token')
    const all = await Promise.all(
      Array.from({ length: 8 }, () => mailbox(account).list(account, inbox, signal)),
    )
    expect(all.map(({ kind }) => kind)).toEqual(Array(8).fill('listed'))
    expect(provider.asked('refresh_token') - start).toBe(1)
    const second = await kept()
    expect(second).not.toBe(first)
    // Another executor knows nothing but what is stored.
    expect(await openParts().mailbox(account).list(account, inbox, signal)).toMatchObject({ kind: 'listed' })
    expect(await kept()).not.toBe(second)
  }, 60_000)

  it('says how to sign in again when the sign-in was revoked, and asks the provider no more', async () => {
    await signIn()
    provider.revokeAll()
    const account = me()
    const { mailbox } = openParts()
    expect(await mailbox(account).check(account, signal)).toEqual({
      kind: 'failed',
      reason: `The sign-in of me@home.test at 127.0.0.1:${provider.port} no longer holds (invalid_grant). Sign in again: \`countersign mail sign-in home\`.`,
    })
    const asked = provider.asked('refresh_token')
    expect(await mailbox(account).check(account, signal)).toMatchObject({
      reason: expect.stringContaining('countersign mail sign-in home'),
    })
    expect(provider.asked('refresh_token')).toBe(asked)
    expect(await vault.list()).toEqual([])
    await signIn()
    expect(await mailbox(account).check(account, signal)).toMatchObject({ kind: 'checked' })
  }, 60_000)

  it('takes the newer sign-in when somebody signs in while a token is asked for', async () => {
    provider.set({ rotates: true })
    await signIn()
    const newer = provider.grant('me@home.test')
    provider.set({
      beforeReply: async () => {
        provider.set({ beforeReply: async () => undefined })
        await signIn(newer)
      },
    })
    const account = me()
    expect(await openParts().mailbox(account).list(account, inbox, signal)).toMatchObject({ kind: 'listed' })
    // The newer one was shown and rotated; what came of the older one is nowhere.
    expect(await kept()).toBe(provider.given.filter((token) => token.startsWith('refresh')).at(-1))
  }, 60_000)

  it('gives its token to no server that the sign-in is not kept for', async () => {
    await signIn()
    const account = me()
    const elsewhere = me({ imap: { ...account.imap, port: servers.ports.imaps } })
    const { mailbox } = openParts()
    const start = provider.asked('refresh_token')
    expect(await mailbox(elsewhere).list(elsewhere, inbox, signal)).toMatchObject({ kind: 'failed' })
    expect(await mailbox(account, { named: ['IMAP', 'SMTP'] }).list(account, inbox, signal)).toEqual({
      kind: 'failed',
      reason: 'The permit does not name the place that gives tokens.',
    })
    expect(provider.asked('refresh_token')).toBe(start)
  }, 30_000)

  it('masks tokens in whatever leaves the executor', async () => {
    provider.set({ rotates: true })
    await signIn()
    const account = me()
    const { mailbox, access } = openParts()
    await mailbox(account).check(account, signal)
    const [refresh, token] = [await kept(), provider.given.findLast((each) => each.startsWith('access'))]
    const said = JSON.stringify(access.mask({ a: `x ${token} y`, b: refresh }))
    expect(said).not.toContain(String(token))
    expect(said).not.toContain(String(refresh))
  }, 30_000)
})
