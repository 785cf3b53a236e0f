/**
 * A day of one person with real servers and programs: dovecot, postfix, radicale, chromium, python, ffmpeg and a coding agent. In each part of it
 * everything is killed in the middle; at its end nothing is doubled and nothing is lost.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { type Attachment, attachmentOf, attachmentPath, type RunDetail } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { type CalendarServerForTests, startCalendarServer } from '@countersign/executor/calendar-server'
import { type MailServers, startMailServers } from '@countersign/executor/mail-servers'
import { installScriptedAgent } from '@countersign/executor/scripted-agent'
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
import {
  type MediaServer,
  type ModelServer,
  type ReplyCall,
  type ScriptTurn,
  startMediaServer,
  startModelServer,
} from '@countersign/model-servers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { waitFor } from './assistant-scenario.ts'
import { verifierSays } from './verified-ledger.ts'

// Each part starts the gateway once more, on a machine that may be busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const receipt = ['Cafe Anna', '2026-11-18', 'Cake 4.00', 'Coffee 2.50', 'Total EUR 6.50']
const expense = {
  amount: '6.50',
  currency: 'EUR',
  category: 'food',
  description: 'Cake and coffee',
  date: '2026-11-18',
}
const invoice = {
  account: 'home',
  to: 'ana@kovac.test',
  subject: 'Your invoice',
  body: 'Dear Ana, the invoice is attached.',
  attachments: ['invoice.pdf'],
}
const meeting = {
  title: 'Meet Ana',
  startTime: '2026-11-20T10:00:00',
  endTime: '2026-11-20T11:00:00',
}
const broken = 'module.exports = (a, b) => a - b\n'
const fix = "sed -i 's/a - b/a + b/' sum.js && node test.js && echo right"

let installation: Installation
let gateway: GatewayProcess
let mail: MailServers
let imap: StallingDoor
let calendar: CalendarServerForTests
let calendarDoor: StallingDoor
let media: MediaServer
let helper: ModelServer
let bakery: Server
const at = (path: string) => join(installation.paths.workspace, path)

/** What a server is asked first is answered only when it is let go, so that there is time to kill. */
interface Held {
  readonly reached: Promise<void>
  /** To be awaited before the answer. */
  hold(): Promise<void>
  letGo(): void
}
function held(): Held {
  const asked = Promise.withResolvers<void>()
  const may = Promise.withResolvers<void>()
  return {
    reached: asked.promise,
    hold() {
      asked.resolve()
      return may.promise
    },
    letGo: () => may.resolve(),
  }
}
const moments = { receipt: held(), voice: held(), page: held(), program: held() }

/** What the assistant does, one call after the other, by the words with which it is asked. */
let parts: Readonly<Record<string, readonly ReplyCall[]>> = {}

async function assistant(turn: ScriptTurn) {
  if (turn.tools.length === 1 && turn.tools[0]?.name === 'answer') {
    await moments.receipt.hold()
    return { calls: [{ name: 'answer', args: { text: receipt.join('\n') } }] }
  }
  const words = turn.messages.find(({ role }) => role === 'user')?.text ?? ''
  const [, calls] = Object.entries(parts).find(([asked]) => words.includes(asked)) ?? []
  const done = turn.messages.flatMap(({ results }) => results).length
  const next = calls?.[done]
  return next ? { calls: [next] } : { text: `Done: ${turn.lastResults.at(-1)?.text ?? ''}` }
}

beforeAll(async () => {
  mail = await startMailServers()
  imap = await openStallingDoor(mail.ports.imap)
  calendar = await startCalendarServer()
  calendarDoor = await openStallingDoor(calendar.port)
  media = await startMediaServer({
    async script({ path }) {
      if (path.endsWith('/speech')) return { audio: readFileSync(at('memo.mp3')) }
      await moments.voice.hold()
      return { transcript: { text: 'When does the bakery open on Sunday?', language: 'english', seconds: 2 } }
    },
  })
  helper = await startModelServer({
    async script({ lastResults }) {
      if (lastResults.length === 0) return { calls: [{ name: 'sh', args: { command: fix } }] }
      await moments.program.hold()
      return { text: 'The sign was wrong.' }
    },
  })
  bakery = createServer((_, response) => {
    void moments.page.hold().then(() => {
      response.setHeader('content-type', 'text/html')
      response.end('<title>Bakery</title><main>Open on Sunday from 8 to 11</main>')
    })
  })
  await new Promise<void>((resolve) => bakery.listen(0, '127.0.0.1', resolve))
  const page = `127.0.0.1:${(bakery.address() as AddressInfo).port}`
  const ports = [imap.port, mail.ports.smtp, calendarDoor.port]
  const targets = [...ports.map((port) => `localhost:${port}`), page, new URL(helper.url).host]
  installation = await openInstallation({
    environment: { COUNTERSIGN_LOCAL_TARGETS: targets.join(',') },
    script: assistant,
  })
  mkdirSync(at('sums'), { recursive: true })
  drawReceipt(at('receipt.jpg'))
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=duration=2', at('memo.mp3')])
  writeFileSync(at('sums/sum.js'), broken)
  writeFileSync(at('sums/test.js'), "if (require('./sum.js')(2, 2) !== 4) throw new Error('wrong')\n")
  const agent = installScriptedAgent(join(installation.home, 'agent'), `${helper.url}/v1`)
  mkdirSync(dirname(installation.paths.config), { recursive: true })
  writeFileSync(
    installation.paths.config,
    JSON.stringify({ memory: { automatic: 'off' }, codingAgents: { small: agent } }),
  )
  gateway = await installation.start()
  await connectServices()
  parts = {
    'Book this receipt': [
      { name: 'parse_receipt', args: { image: 'receipt.jpg' } },
      { name: 'add_expense', args: expense },
    ],
    'Send Ana her invoice': [
      { name: 'create_pdf', args: { content: 'Invoice 7\n\nEUR 120.00', outputPath: 'invoice.pdf' } },
      { name: 'send_email', args: invoice },
    ],
    'What does the note say': [
      { name: 'speech_to_text', args: { audio: 'memo.mp3' } },
      { name: 'browser_navigate', args: { url: `http://${page}/` } },
      { name: 'text_to_speech', args: { text: 'It opens at eight.', outputPath: 'answer.mp3' } },
    ],
    'How much is that in a year': [
      { name: 'execute_python', args: { code: "open('year.txt', 'a').write(f'{6.5 * 52}\\n')" } },
    ],
    'Mend the sums': [
      {
        name: 'run_coding_task',
        args: { provider: 'custom:small', prompt: 'The test fails. Fix sum.js.', cwd: 'sums' },
      },
    ],
  }
})
afterAll(async () => {
  await installation?.close()
  for (const moment of Object.values(moments)) moment.letGo()
  imap?.close()
  calendarDoor?.close()
  bakery?.close()
  await Promise.all([mail?.close(), calendar?.close(), media?.close(), helper?.close()])
})

function drawReceipt(path: string): void {
  const text = join(dirname(path), '.receipt.txt')
  writeFileSync(text, receipt.join('\n'))
  const drawn = `drawtext=fontfile=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf:textfile=${text}:x=40:y=60:fontsize=32`
  const paper = ['-f', 'lavfi', '-i', 'color=white:s=480x640']
  execFileSync('ffmpeg', ['-v', 'error', ...paper, '-vf', drawn, '-frames:v', '1', path])
}

async function connectServices(): Promise<void> {
  const { client } = gateway
  const { name: _name, secret: _secret, ...account } = mail.account('home', 'me@home.test')
  await client.storeMailAccount('home', {
    ...account,
    imap: { ...account.imap, port: imap.port },
    password: mail.password,
  })
  const { name: own, secret: _own, ...server } = calendar.account('own', calendarDoor.port)
  await client.storeCalendarAccount(own, { ...server, password: calendar.password })
  await client.addProvider({
    name: 'box',
    kind: 'openai-compatible',
    url: installation.model.baseUrl('openai'),
  })
  await client.overrideModel('box/seeing', { capabilities: ['tools', 'vision'] })
  await client.setRoute('vision', { models: ['box/seeing'] })
  await client.addProvider({ name: 'media', kind: 'openai-compatible', url: `${media.url}/v1` })
  await client.setRoute('speech', { models: ['media/tts-1'] })
  await client.setRoute('transcription', { models: ['media/whisper-1'] })
}

async function say(text: string, attachments: Attachment[] = []): Promise<string> {
  const { run } = await gateway.client.send({
    key: crypto.randomUUID(),
    session: null,
    text,
    mode: 'auto',
    attachments,
  })
  return run ?? ''
}

async function restart(whom: 'gateway' | 'everything', meanwhile: () => void = () => undefined) {
  const executor = executorOf(gateway.pid)
  if (whom === 'everything') process.kill(executor, 'SIGKILL')
  await gateway.kill()
  meanwhile()
  gateway = await installation.start()
}

const settled = (run: string) => settledRun(gateway.client, run, 'either', 120_000)
const pendingIn = ({ approvals }: RunDetail) => approvals.filter(({ state }) => state === 'pending')

/** Approves what is asked until the run ends, and says for which tools. */
async function approveAll(run: string): Promise<{ detail: RunDetail; asked: string[] }> {
  const asked: string[] = []
  for (;;) {
    const detail = await settled(run)
    const [approval] = pendingIn(detail)
    if (!approval) return { detail, asked }
    asked.push(approval.card.tool)
    await approve(installation, gateway.client, approval.id)
  }
}

test('morning: a receipt is photographed and booked, though all is killed while it is looked at', async () => {
  const bytes = readFileSync(at('receipt.jpg'))
  const path = attachmentPath('receipt.jpg', crypto.randomUUID())
  const upload = JSON.stringify({ path, base64: bytes.toString('base64') })
  await settled((await gateway.client.callTool('write_binary_file', upload)).run)
  const photo = attachmentOf({ path, name: 'receipt.jpg', sha256: sha256Hex(bytes), bytes: bytes.length })
  const run = await say('Book this receipt', [photo])
  await moments.receipt.reached
  await restart('everything', moments.receipt.letGo)
  const { detail } = await approveAll(run)
  expect(detail.calls.filter(({ outcome }) => outcome === 'ok').map(({ tool }) => tool)).toContain(
    'add_expense',
  )
  expect((await gateway.client.expenses()).total).toBe(1)
})

async function countOf(account: 'home' | 'ana', folder: string, subject: string): Promise<number> {
  const args = JSON.stringify({ account, folder, limit: 50 })
  const { calls } = await settled((await gateway.client.callTool('list_emails', args)).run)
  if (calls[0]?.outcome !== 'ok') throw new Error(`${calls[0]?.result}\n${mail.log()}`)
  return (calls[0]?.result ?? '').split('\n').filter((line) => line.trim() === subject).length
}

test('noon: the invoice goes out with one approval, killed while it waits and again before it is filed', async () => {
  const run = await say('Send Ana her invoice')
  const [asked] = pendingIn(await settled(run))
  expect(asked?.card).toMatchObject({ tool: 'send_email', tier: 3 })
  await restart('gateway')
  const [kept] = pendingIn(await settled(run))
  expect(kept?.id).toBe(asked?.id)
  imap.stallAt({ from: 'client', words: / APPEND / })
  await approve(installation, gateway.client, kept?.id ?? '')
  await imap.reached()
  await restart('everything', () => imap.stallAt(null))
  const detail = await settled(run)
  expect(detail.approvals).toHaveLength(1)
  expect(detail.calls).toMatchObject([
    { tool: 'create_pdf', outcome: 'ok' },
    { tool: 'send_email', outcome: 'ok' },
  ])
  const { name: _name, secret: _secret, ...account } = mail.account('ana', 'ana@kovac.test')
  await gateway.client.storeMailAccount('ana', {
    ...account,
    imap: { ...account.imap, port: imap.port },
    password: mail.password,
  })
  await waitFor(async () => expect(await countOf('ana', 'INBOX', invoice.subject)).toBe(1))
  expect(await countOf('home', 'Sent', invoice.subject)).toBe(1)
})

test('afternoon: the meeting of the answer comes into the calendar once, after a look at it', async () => {
  await mail.deliver(
    'me@home.test',
    'From: Ana <ana@kovac.test>\nTo: me@home.test\nSubject: Re: Your invoice\n\nThank you. Friday at ten?',
  )
  await waitFor(async () => expect(await countOf('home', 'INBOX', 'Re: Your invoice')).toBe(1))
  const listed = await settled((await gateway.client.callTool('list_emails', '{"account":"home"}')).run)
  const emailId = /id (\S+),/.exec(listed.calls[0]?.result ?? '')?.[1] ?? ''
  parts = {
    ...parts,
    'Put what Ana proposes': [
      { name: 'read_email', args: { emailId } },
      { name: 'add_calendar_event', args: meeting },
    ],
  }
  const run = await say('Put what Ana proposes into my calendar')
  const before = await settled(run)
  // The words of a stranger decide about the day, so it is asked.
  expect(pendingIn(before).map(({ card }) => card.tool)).toEqual(['add_calendar_event'])
  expect((await gateway.client.calendarEvents()).total).toBe(0)
  await restart('everything')
  const { detail, asked } = await approveAll(run)
  expect(asked).toEqual(['add_calendar_event'])
  expect(detail.calls.at(-1)).toMatchObject({ tool: 'add_calendar_event', outcome: 'ok' })
  expect((await gateway.client.calendarEvents()).total).toBe(1)

  // On the way to the server it is asked once more, since Ana had a part in it; killed after the server has it.
  calendarDoor.stallAt({ from: 'client', words: /^PUT /, passes: true })
  await gateway.client.syncCalendarAccount('own')
  const [push] = await gateway.client.approvals({ state: 'pending' })
  expect(push?.card.tool).toBe('push_synced_entries')
  await approve(installation, gateway.client, push?.id ?? '')
  await calendarDoor.reached()
  await restart('everything', () => calendarDoor.stallAt(null))
  await waitFor(async () => {
    const report = await gateway.client.syncCalendarAccount('own')
    expect(report).toMatchObject({ problem: null, taken: 0, sent: 0, asking: 0, conflicts: 0 })
  })
  expect(await calendar.names('calendar')).toHaveLength(1)
  expect((await gateway.client.calendarEvents()).total).toBe(1)
})

test('evening: a voice note is heard, looked up in the browser and answered aloud, killed at both', async () => {
  const run = await say('What does the note say, and what is the answer')
  await moments.voice.reached
  await restart('gateway', moments.voice.letGo)
  const [visit] = pendingIn(await settled(run))
  expect(visit?.card.tool).toBe('browser_navigate')
  await approve(installation, gateway.client, visit?.id ?? '')
  await moments.page.reached
  await restart('everything', moments.page.letGo)
  const { detail } = await approveAll(run)
  expect(detail.calls[0]?.result).toBe('When does the bakery open on Sunday?')
  expect(detail.calls.at(-1)).toMatchObject({ tool: 'text_to_speech', outcome: 'ok' })
  expect(readdirSync(installation.paths.workspace).filter((name) => name.startsWith('answer'))).toEqual([
    'answer.mp3',
  ])
})

test('later: python adds up once, and a coding agent mends a program that is killed with it', async () => {
  await approveAll(await say('How much is that in a year'))
  expect(readFileSync(at('year.txt'), 'utf8')).toBe('338.0\n')

  const run = await say('Mend the sums')
  const [asked] = pendingIn(await settled(run))
  await approve(installation, gateway.client, asked?.id ?? '')
  await moments.program.reached
  expect(readFileSync(at('sums/sum.js'), 'utf8')).toBe(broken)
  await restart('gateway', moments.program.letGo)
  const mended = await approveAll(run)
  expect(mended.asked).toEqual(['take_over_changes'])
  execFileSync('node', [at('sums/test.js')])
})

test('night: nothing waits, nothing is doubled, and the ledger tells all of it', async () => {
  expect(await gateway.client.approvals({ state: 'pending' })).toEqual([])
  expect((await gateway.client.expenses()).total).toBe(1)
  expect((await gateway.client.calendarEvents()).total).toBe(1)
  expect(await calendar.names('calendar')).toHaveLength(1)
  expect(await countOf('ana', 'INBOX', invoice.subject)).toBe(1)
  expect(await countOf('home', 'Sent', invoice.subject)).toBe(1)
  const ledger = await new Response(await gateway.client.exportLedger()).text()
  expect(await verifierSays(installation, ledger)).toMatch(/Ledger verified.* 0 without outcome/s)
})
