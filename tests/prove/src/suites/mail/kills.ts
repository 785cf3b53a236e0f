/**
 * Kills an executor while it sends an e-mail, at each step between intent and the folder of sent e-mails, and then has
 * another use the same permit. What that says must be true, and nothing may be there twice. Real servers.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExecuteReply, JsonObject, MailAccount, Permit } from '@countersign/contract'
import { mailDestinations, mailTools } from '@countersign/contract'
import { type MailServers, startMailServers } from '@countersign/executor/mail-servers'
import { openStallingDoor, type StallingDoor } from '@countersign/harness'
import { type Executor, openExecutor } from '../../../../../packages/executor/src/executor.ts'
import { withMessageId } from '../../../../../packages/executor/src/mail/folders.ts'
import { withImap } from '../../../../../packages/executor/src/mail/imap-session.ts'
import {
  createTestHost,
  sealTestPermit,
  type TestHost,
} from '../../../../../packages/executor/src/testing/host.ts'
import { openVaultAt } from '../../../../../packages/executor/src/vault/vault-paths.ts'
import { until } from '../../until.ts'
import type { Part, TrialOptions, Wrong } from './trial.ts'

interface Point {
  readonly name: string
  readonly door: 'smtp' | 'imap'
  readonly at: { readonly from: 'client' | 'server'; readonly words: RegExp }
  /** Whether the recipient's server has it by then. */
  readonly gone: boolean
}

const points: readonly Point[] = [
  { name: 'before it greets', door: 'smtp', at: { from: 'client', words: /^EHLO/ }, gone: false },
  { name: 'before the recipients', door: 'smtp', at: { from: 'client', words: /MAIL FROM/ }, gone: false },
  { name: 'before the content', door: 'smtp', at: { from: 'server', words: /^354|\r\n354/ }, gone: false },
  {
    name: 'before the server says yes',
    door: 'smtp',
    at: { from: 'server', words: /queued as/ },
    gone: true,
  },
  { name: 'before it is looked for', door: 'imap', at: { from: 'client', words: /SEARCH/ }, gone: true },
  { name: 'before it is filed', door: 'imap', at: { from: 'client', words: / APPEND / }, gone: true },
  { name: 'after it is filed', door: 'imap', at: { from: 'server', words: /APPENDUID/ }, gone: true },
]

export async function tryKills(count: number, { seed, log, mutation }: TrialOptions): Promise<Part> {
  const bench = await openKillBench()
  const wrong: { kind: Wrong; text: string }[] = []
  const outcomes: Record<string, number> = {}
  try {
    for (let index = 0; index < count; index += 1) {
      // The one that nobody can tell comes first, so that a short run has it.
      const point = points[(index + 3) % points.length] as Point
      const { outcome, problems } = await kill(point, `${seed}-${index}`, bench, mutation)
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      wrong.push(...problems.map(({ kind, text }) => ({ kind, text: `killed ${point.name}: ${text}` })))
      if (index % 20 === 19) log(`${index + 1} of ${count} kills, ${wrong.length} wrong`)
    }
    wrong.push(...(await withoutApproval(bench)))
  } finally {
    await bench.close()
  }
  return { trials: count, wrong, outcomes }
}

interface KillBench {
  readonly host: TestHost
  readonly executor: Executor
  readonly servers: MailServers
  readonly doors: Readonly<Record<'smtp' | 'imap', StallingDoor>>
  readonly account: MailAccount
  close(): Promise<void>
}

async function openKillBench(): Promise<KillBench> {
  const servers = await startMailServers()
  const doors = {
    smtp: await openStallingDoor(servers.ports.smtp),
    imap: await openStallingDoor(servers.ports.imap),
  }
  const ports = [doors.smtp.port, doors.imap.port]
  const made = createTestHost({ allowPrivate: ports.map((port) => ({ host: 'localhost', port })), ports: [] })
  const account = servers.account('home', 'me@home.test', {
    imap: { host: 'localhost', port: doors.imap.port, security: 'none' },
    smtp: { host: 'localhost', port: doors.smtp.port, security: 'none' },
  })
  const vault = {
    file: join(made.folder, 'vault', 'secrets.age'),
    key: join(made.folder, 'vault', 'vault.key'),
    record: join(made.folder, 'vault', 'vault.json'),
    account: 'prove-mail',
    wanted: 'file' as const,
  }
  await (await openVaultAt(vault)).put(account.secret, {
    value: servers.password,
    description: 'e-mail',
    destinations: mailDestinations(account),
    tools: [...mailTools],
  })
  const host: TestHost = { ...made, options: { ...made.options, vault } }
  const executor = await openExecutor(host.options)
  executor.setWorld(host.world)
  return {
    host,
    executor,
    servers,
    doors,
    account,
    async close() {
      await executor.close()
      doors.smtp.close()
      doors.imap.close()
      await servers.close()
      host.remove()
    },
  }
}

function permitFor({ host, executor, account }: KillBench, mark: string): Promise<Permit> {
  const mailbox = account as unknown as JsonObject
  const args = { account: 'home', mailbox, to: 'ana@kovac.test', subject: `Kill ${mark}`, body: 'Once.' }
  return sealTestPermit(host, { tool: 'send_email', args, tier: 3 }, executor.resolve)
}

async function kill(point: Point, mark: string, bench: KillBench, mutation: string | undefined) {
  const { host, doors } = bench
  const permit = await permitFor(bench, mark)
  const file = join(host.folder, `kill-${mark}.json`)
  writeFileSync(file, JSON.stringify({ options: host.options, world: host.world, permit }))
  const door = doors[point.door]
  door.stallAt(point.at)
  const first = startProcess(file, mutation)
  await Promise.race([door.reached(), first.ended])
  first.child.kill('SIGKILL')
  await first.ended
  door.stallAt(null)
  const text = await startProcess(file, mutation).ended
  const reply = JSON.parse(text) as ExecuteReply
  return judge(point, reply, bench, await messageIdOf(permit, host))
}

function startProcess(
  file: string,
  mutation: string | undefined,
): { child: ChildProcess; ended: Promise<string> } {
  const first = mutation === undefined ? [] : ['--import', mutation]
  const program = fileURLToPath(new URL('./send-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...first, program, file], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  return { child, ended: new Promise((resolve) => child.once('close', () => resolve(text))) }
}

/** As the executor makes it from the permit. */
async function messageIdOf({ subject }: Permit, { options }: TestHost): Promise<string> {
  const { createOutbox } = await import('../../../../../packages/executor/src/mail/outbox.ts')
  return createOutbox(join(options.replayFile, '..', 'outbox'), () => new Date()).entry(
    subject.nonce,
    'home.test',
  ).messageId
}

async function judge(point: Point, reply: ExecuteReply, bench: KillBench, messageId: string) {
  const problems: { kind: Wrong; text: string }[] = []
  const { servers } = bench
  const ana = servers.account('ana', 'ana@kovac.test')
  if (point.gone)
    await until(async () => (await countIn(ana, 'INBOX', messageId, servers)) > 0, 30_000).catch(
      () => undefined,
    )
  const arrived = await countIn(ana, 'INBOX', messageId, servers)
  const filed = await countIn(servers.account('home', 'me@home.test'), 'Sent', messageId, servers)
  const said = reply.kind === 'done' ? (reply.result.ok ? 'sent' : 'not sent') : reply.kind
  if (arrived > 1) problems.push({ kind: 'doubled', text: `${arrived} arrived` })
  if (filed > 1) problems.push({ kind: 'doubled', text: `${filed} were filed` })
  if (said === 'sent' && (arrived !== 1 || filed !== 1))
    problems.push({ kind: 'other', text: `it is said to be sent; ${arrived} arrived, ${filed} filed` })
  if (said === 'not sent' && arrived > 0)
    problems.push({ kind: 'other', text: 'it is said not to be sent, and arrived' })
  if (said === 'refused') problems.push({ kind: 'other', text: `refused: ${JSON.stringify(reply)}` })
  if (point.gone && point.door === 'imap' && said !== 'sent')
    problems.push({ kind: 'other', text: `it left and that was written down, but ${said} is said` })
  return { outcome: `${point.name}: ${said}`, problems }
}

/** A permit that no device sealed, and one whose recipient was changed after it was. */
async function withoutApproval(bench: KillBench): Promise<{ kind: Wrong; text: string }[]> {
  const { executor, servers, host } = bench
  const ana = servers.account('ana', 'ana@kovac.test')
  const sealed = await permitFor(bench, 'unapproved-1')
  const changed: Permit = {
    ...sealed,
    subject: { ...sealed.subject, args: sealed.subject.args.replace('Once.', 'Twice.') },
  }
  const mailbox = bench.account as unknown as JsonObject
  const args = { account: 'home', mailbox, to: 'ana@kovac.test', subject: 'unapproved', body: 'x' }
  const wish = { tool: 'send_email', args, tier: 3, sealBy: 'gateway' } as const
  const byGateway = await sealTestPermit(host, wish, executor.resolve)
  const wrong: { kind: Wrong; text: string }[] = []
  for (const permit of [changed, byGateway]) {
    const reply = await executor.execute(permit, new AbortController().signal)
    const arrived = await countIn(ana, 'INBOX', await messageIdOf(permit, host), servers)
    if (reply.kind !== 'refused' || arrived > 0)
      wrong.push({
        kind: 'unapproved',
        text: `a permit that nobody gave: ${JSON.stringify(reply).slice(0, 200)}`,
      })
  }
  return wrong
}

async function countIn(
  account: MailAccount,
  folder: string,
  messageId: string,
  servers: MailServers,
): Promise<number> {
  const open = Object.values(servers.ports).map((port) => ({ host: 'localhost', port }))
  const parts = { places: { ports: [], allowPrivate: open }, lookup: async () => ['127.0.0.1'] }
  const found = await withImap(
    { account, password: servers.password },
    parts,
    new AbortController().signal,
    async (client) => ({ kind: 'found' as const, places: await withMessageId(client, folder, messageId) }),
  )
  if (found.kind === 'failed') throw new Error(found.reason)
  return found.places.length
}
