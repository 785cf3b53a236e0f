import type { JsonObject, RunDetail, SessionId } from '@countersign/contract'
import { type MailServers, startMailServers } from '@countersign/executor/mail-servers'
import {
  approve,
  executorOf,
  type GatewayProcess,
  type Installation,
  openInstallation,
  openStallingDoor,
  type StallingDoor,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from './assistant-scenario.ts'

let servers: MailServers
let stalling: StallingDoor
let installation: Installation
let gateway: GatewayProcess

beforeAll(async () => {
  servers = await startMailServers()
  stalling = await openStallingDoor(servers.ports.imap)
  const { imap, smtp } = servers.ports
  const ports = [imap, smtp, stalling.port]
  installation = await openInstallation({
    environment: { COUNTERSIGN_LOCAL_TARGETS: ports.map((port) => `localhost:${port}`).join(',') },
    script: ({ lastUser, lastResults }) => {
      if (lastResults.length > 0) return { text: `Done: ${lastResults.at(-1)?.text}` }
      return lastUser.startsWith('{"name"') ? { calls: [JSON.parse(lastUser)] } : { text: 'Nothing.' }
    },
  })
  gateway = await installation.start()
  await storeAccount('home', 'me@home.test', imap)
}, 120_000)
afterAll(async () => {
  await installation?.close()
  stalling?.close()
  await servers?.close()
})

async function storeAccount(
  name: string,
  user: 'me@home.test' | 'ana@kovac.test',
  imap: number,
): Promise<void> {
  const { name: _name, secret: _secret, ...account } = servers.account(name, user)
  const { client } = gateway
  const { password } = servers
  await client.storeMailAccount(name, { ...account, imap: { ...account.imap, port: imap }, password })
}

interface Said {
  readonly detail: RunDetail
  readonly session: SessionId
}

/** Has the model make one call, in a conversation of its own unless one is named. */
async function ask(name: string, args: JsonObject, session: SessionId | null = null): Promise<Said> {
  const text = JSON.stringify({ name, args })
  const sent = await gateway.client.send({ key: crypto.randomUUID(), session, text, mode: 'auto' })
  const detail = await settledRun(gateway.client, sent.run ?? '', 'either')
  return { detail, session: sent.session }
}

async function approved({ detail, session }: Said): Promise<Said> {
  const [approval] = (await gateway.client.run(detail.run.id)).approvals
  await approve(installation, gateway.client, approval?.id ?? '')
  return { detail: await settledRun(gateway.client, detail.run.id, 'either'), session }
}

async function textOf(name: string, args: JsonObject): Promise<string> {
  const { detail } = await ask(name, args)
  const [call] = detail.calls
  if (call?.outcome !== 'ok') throw new Error(`${name}: ${call?.outcome} ${call?.summary}\n${servers.log()}`)
  return call.result
}

async function idOf(subject: string, folder = 'INBOX'): Promise<string> {
  let id = ''
  await waitFor(async () => {
    const lines = (await textOf('list_emails', { account: 'home', folder })).split('\n')
    const at = lines.findIndex((line) => line.trim() === subject)
    // Of one that was read it is said first who wrote it.
    id = /id (\S+),/.exec(lines.slice(at + 1, at + 3).join('\n'))?.[1] ?? ''
    if (at < 0 || id === '') throw new Error(`${subject} is not in ${folder}.`)
  })
  return id
}

const countIn = (text: string, words: string) => text.split(words).length - 1

describe('e-mail', () => {
  test('is listed and read without a question, as a stranger’s words', async () => {
    await servers.deliver(
      'me@home.test',
      'From: Ana <ana@kovac.test>\nTo: me@home.test\nSubject: The invoice\nMessage-ID: <inv@kovac.test>\n\nPlease pay.',
    )
    const id = await idOf('The invoice')
    const { detail } = await ask('read_email', { emailId: id })
    expect(detail.calls).toMatchObject([{ tool: 'read_email', tier: 0, outcome: 'ok' }])
    expect(detail.approvals).toEqual([])
    expect(detail.calls[0]?.result).toContain('From: Ana <ana@kovac.test>')
    expect(detail.calls[0]?.result).toContain('Please pay.')
    const tried = await ask('read_email', { emailId: id, account: 'other' })
    expect(tried.detail.calls[0]?.result).toContain('the e-mail belongs to the account home')
    expect(JSON.stringify(installation.model.requests)).not.toContain(servers.password)
    expect(gateway.log()).not.toContain(servers.password)
  }, 120_000)

  test('is sent after one approval that shows all of it, and its answer keeps to the thread', async () => {
    const sent = await ask('send_email', {
      account: 'home',
      to: 'ana@kovac.test',
      subject: 'Lunch',
      body: 'On Friday at noon?',
    })
    expect(sent.detail.approvals).toHaveLength(1)
    const [asked] = sent.detail.approvals
    const { approval } = await gateway.client.approval(asked?.id ?? '')
    expect(approval.card).toMatchObject({ tier: 3, headline: 'Send an e-mail to ana@kovac.test' })
    expect(JSON.stringify(approval.card.preview)).toContain('On Friday at noon?')
    expect((await approved(sent)).detail.calls).toMatchObject([{ tool: 'send_email', outcome: 'ok' }])
    await idOf('Lunch', 'Sent')

    const answer = await ask('reply_email', { emailId: await idOf('The invoice'), body: 'Paid.' })
    expect(answer.detail.calls).toMatchObject([{ tool: 'reply_email' }, { tool: 'send_email' }])
    const answered = await approved(answer)
    expect(answered.detail.calls).toMatchObject([{ outcome: 'ok' }, { outcome: 'ok', tier: 3 }])
    const read = await textOf('read_email', { emailId: await idOf('Re: The invoice', 'Sent') })
    expect(read).toContain('To: ana@kovac.test')
    await storeAccount('ana', 'ana@kovac.test', servers.ports.imap)
    const theirs = await textOf('search_emails', { account: 'ana', query: 'Paid' })
    expect(countIn(theirs, 'Re: The invoice')).toBe(1)
    await gateway.client.removeMailAccount('ana')
  }, 180_000)

  test('with a line break in its subject is refused before anybody is asked', async () => {
    for (const args of [
      { to: 'ana@kovac.test', subject: 'a\r\nBcc: evil@evil.test', body: 'x' },
      { to: 'ana@kovac.test\nbcc: evil@evil.test', subject: 'a', body: 'x' },
      { to: 'ana@kovac.test, evil@evil.test', subject: 'a', body: 'x' },
    ]) {
      const { detail } = await ask('send_email', args)
      expect(detail.approvals).toEqual([])
      expect(detail.calls[0]?.outcome).not.toBe('ok')
    }
  }, 60_000)

  test('is thrown away and brought back', async () => {
    await servers.deliver('me@home.test', 'From: a@one.test\nSubject: To be deleted\n\nx')
    const id = await idOf('To be deleted')
    const thrown = await ask('delete_email', { emailId: id })
    const { detail } = thrown.detail.approvals.length > 0 ? await approved(thrown) : thrown
    expect(detail.calls).toMatchObject([{ tool: 'delete_email', outcome: 'ok', undoable: true }])
    await idOf('To be deleted', 'Trash')
    expect(await textOf('list_emails', { account: 'home' })).not.toContain('To be deleted')
    const { run } = await gateway.client.undoRun(detail.run.id)
    let undone = await settledRun(gateway.client, run, 'either')
    const [waiting] = undone.approvals
    if (waiting) {
      await approve(installation, gateway.client, waiting.id)
      undone = await settledRun(gateway.client, run, 'either')
    }
    expect(undone.calls.at(-1)).toMatchObject({ outcome: 'ok' })
    await idOf('To be deleted')
  }, 120_000)

  test('is there once after kill -9 between sending and filing', async () => {
    await gateway.client.removeMailAccount('home')
    await storeAccount('home', 'me@home.test', stalling.port)
    stalling.stallAt({ from: 'client', words: / APPEND / })
    const sent = await ask('send_email', {
      account: 'home',
      to: 'ana@kovac.test',
      subject: 'Only once',
      body: 'Once.',
    })
    const [approval] = sent.detail.approvals
    await approve(installation, gateway.client, approval?.id ?? '')
    await stalling.reached()
    const executor = executorOf(gateway.pid)
    process.kill(executor, 'SIGKILL')
    await gateway.kill()
    stalling.stallAt(null)
    gateway = await installation.start()
    const detail = await settledRun(gateway.client, sent.detail.run.id, 'either')
    expect(detail.calls).toMatchObject([{ tool: 'send_email', outcome: 'ok' }])
    expect(detail.approvals.filter(({ state }) => state === 'pending')).toEqual([])
    const filed = await textOf('search_emails', { account: 'home', query: 'Once.', folder: 'Sent' })
    expect(countIn(filed, 'Only once')).toBe(1)
    await storeAccount('ana', 'ana@kovac.test', servers.ports.imap)
    const got = await textOf('search_emails', { account: 'ana', query: 'Once.' })
    expect(countIn(got, 'Only once')).toBe(1)
  }, 180_000)
})
