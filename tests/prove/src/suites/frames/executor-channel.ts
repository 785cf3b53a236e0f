/** Sends damaged messages to a real executor process and watches whether it acts or dies. */
import { type ChildProcess, fork } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { canonicalText, type Permit } from '@countersign/contract'
import { openExecutor } from '../../../../../packages/executor/src/executor.ts'
import {
  createTestHost,
  sealTestPermit,
  type TestHost,
} from '../../../../../packages/executor/src/testing/host.ts'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import { oddValue } from './damage.ts'

const main = fileURLToPath(new URL('../../../../../packages/executor/src/main.ts', import.meta.url))

export interface ChannelResult {
  readonly sent: number
  readonly problems: readonly string[]
}

export async function tryChannel(
  n: number,
  random: Random,
  nodeArguments: readonly string[],
): Promise<ChannelResult> {
  const host = createTestHost()
  const problems: string[] = []
  try {
    const permit = await permitOf(host)
    const child = fork(main, [JSON.stringify(host.options)], {
      env: {},
      execArgv: [...nodeArguments],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let acted = 0
    let gone = false
    let complaint = ''
    child.stderr?.on('data', (piece: Buffer) => (complaint = (complaint + piece.toString()).slice(-500)))
    child.on('message', (message: { type?: string; reply?: { kind?: string } }) => {
      if (message.type === 'executed' && message.reply?.kind === 'done') acted += 1
    })
    child.once('exit', () => (gone = true))
    await said(child, 'ready')
    child.send({ type: 'world', ...host.world })
    for (let sent = 0; sent < n && !gone; sent += 1) {
      await post(child, messageFor(random, permit))
      // Its answers come in between; a process that is asked too fast only queues.
      if (sent % 200 === 199) await answered(child, sent)
    }
    if (!gone) await answered(child, n)
    if (gone) problems.push(`the executor ended: ${complaint}`)
    if (acted > 0) problems.push(`${acted} effects came of damaged permits`)
    const left = readdirSync(host.workspace)
    if (left.length > 0) problems.push(`the workspace holds ${left.join(', ')}`)
    if (!gone) child.kill('SIGTERM')
    return { sent: n, problems }
  } finally {
    host.remove()
  }
}

async function permitOf(host: TestHost): Promise<Permit> {
  const executor = await openExecutor(host.options)
  try {
    executor.setWorld(host.world)
    return await sealTestPermit(
      host,
      { tool: 'write_file', args: { path: 'damaged.txt', content: 'It ran.' } },
      executor.resolve,
    )
  } finally {
    await executor.close()
  }
}

function messageFor(random: Random, permit: Permit): unknown {
  switch (random.below(6)) {
    case 0:
      return oddValue(random)
    case 1:
      return {
        type: 'resolve',
        id: random.below(1_000),
        calls: [{ tool: 'write_file', args: JSON.stringify(oddValue(random)) ?? '' }],
      }
    case 2:
      return {
        type: random.pick(['execute', 'resolve', 'cancel', 'world', 'x']),
        id: 1,
        ...(oddValue(random) as object),
      }
    case 3:
      return { type: 'execute', id: oddValue(random), permits: oddValue(random) }
    default:
      return { type: 'execute', id: random.below(1_000), permits: [changed(permit, random)] }
  }
}

/** The permit with one value in it exchanged, so that its seal no longer fits. */
function changed(permit: Permit, random: Random): unknown {
  const copy = JSON.parse(canonicalText(permit)) as Record<string, unknown>
  let place: Record<string, unknown> = copy
  for (;;) {
    const names = Object.keys(place)
    const name = random.pick(names)
    const value = place[name]
    if (typeof value === 'object' && value !== null && Object.keys(value).length > 0 && random.below(4) > 0) {
      place = value as Record<string, unknown>
      continue
    }
    const other = oddValue(random)
    // A change that changes nothing leaves the permit good, and it would rightly run.
    place[name] = JSON.stringify(other) === JSON.stringify(value) ? { not: value } : other
    return copy
  }
}

/** Asks something that is always answered, so that everything before it was taken. */
function answered(child: ChildProcess, id: number): Promise<void> {
  const asked = 1_000_000 + id
  return new Promise((resolve) => {
    const take = (message: { id?: number }) => {
      if (message.id === asked) end()
    }
    const end = () => {
      child.off('message', take)
      child.off('exit', end)
      resolve()
    }
    child.on('message', take)
    child.once('exit', end)
    if (child.connected) child.send({ type: 'resolve', id: asked, calls: [] })
    else end()
  })
}

function said(child: ChildProcess, type: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: { type?: string }) => message.type === type && resolve())
    child.once('exit', (code) => reject(new Error(`The executor ended with ${code}.`)))
  })
}

/** Resolves when the message was handed over; a message that cannot be written down counts as sent. */
function post(child: ChildProcess, message: unknown): Promise<void> {
  return new Promise<void>((resolve) => {
    if (!child.connected || message === undefined) return resolve()
    // A message that is under way when the process ends is never said to be sent.
    child.once('exit', resolve)
    child.send(message as object, () => {
      child.off('exit', resolve)
      resolve()
    })
  })
}
