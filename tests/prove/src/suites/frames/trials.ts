/** Floods the doors of the real product with damaged frames, several connections at once, and looks what came of it. */
import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { helloText } from '@countersign/contract'
import { signText } from '@countersign/contract/node'
import { WebSocket } from 'ws'
import { createRandom, type Random } from '../../../../../packages/executor/src/testing/random.ts'
import { openSockets } from '../../open-sockets.ts'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { until } from '../../until.ts'
import { type AccessInstallation, furnish, openAccessInstallation, stateOf } from '../access/installation.ts'
import { routesOf } from '../access/route.ts'
import { socketAddress } from '../access/socket-rows.ts'
import { tryChannel } from './executor-channel.ts'
import { type HttpTarget, httpFrame } from './http-frames.ts'
import { handshake, socketFrame } from './socket-frames.ts'
import { converse } from './wire.ts'

export interface FramesOptions extends SuiteOptions {
  readonly nodeArguments: readonly string[]
}

const atOnce = 24
const perConnection = 8
/** Of ten frames so many go over each way. */
const shares = { http: 6, socket: 2, member: 1, executor: 1 }

export async function runTrials({ n, seed, log, nodeArguments }: FramesOptions): Promise<SuiteResult> {
  const random = createRandom(seed)
  const trial = await openAccessInstallation(nodeArguments)
  const problems: string[] = []
  const sizeOf = (share: number) => Math.max(perConnection, Math.round((n * share) / 10))
  try {
    await furnish(trial)
    const target: HttpTarget = { ...trial, routes: await routesOf(trial.process.url) }
    const before = await stateOf(trial)
    const { pid } = trial.process
    const sockets = openSockets(pid)
    const report = (problem: string) => {
      problems.push(problem)
      log(problem)
    }
    const http = await flood(sizeOf(shares.http), trial, report, () =>
      Array.from({ length: perConnection }, () => httpFrame(random, target)),
    )
    log(`${http} requests, ${problems.length} problems`)
    const socket = await flood(sizeOf(shares.socket), trial, report, () => [
      handshake(random, trial.port),
      ...Array.from({ length: perConnection - 1 }, () => socketFrame(random)),
    ])
    log(`${socket} frames of strangers, ${problems.length} problems`)
    const member = await floodAsMember(sizeOf(shares.member), trial, random, report)
    log(`${member} frames of a device that looks, ${problems.length} problems`)
    const after = (await isWell(trial)) ? await stateOf(trial) : before
    if (after !== before) report(`something was done for nobody: ${before} became ${after}`)
    if (!(await isWell(trial))) report(`the gateway is not well: ${trial.process.log().slice(-500)}`)
    // A connection that was left is closed within seconds.
    if (!(await until(() => openSockets(pid) < sockets + atOnce, 60_000)))
      report(`${openSockets(pid) - sockets} connections were never let go`)
    const channel = await tryChannel(sizeOf(shares.executor), random, nodeArguments)
    problems.push(...channel.problems)
    return {
      n: http + socket + member + channel.sent,
      failures: problems.length,
      details: {
        http,
        socket,
        member,
        executor: channel.sent,
        problems: [...new Set(problems)].slice(0, 10),
      },
    }
  } finally {
    await trial.close()
  }
}

/** A few connections at once, each with its own frames, until so many were sent or the gateway is gone. */
async function flood(
  n: number,
  trial: AccessInstallation,
  report: (problem: string) => void,
  framesFor: () => Buffer[],
): Promise<number> {
  let sent = 0
  let gone = false
  const worker = async () => {
    while (sent < n && !gone) {
      const frames = framesFor()
      sent += frames.length
      const { statuses, refused } = await converse(trial.port, frames)
      if (refused) gone = true
      if (statuses.some((status) => status >= 500 && status !== 503))
        report(`answered ${statuses.join()} to ${JSON.stringify(frames.map(String)).slice(0, 900)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (gone) report(`the gateway is gone: ${trial.process.log().slice(-800)}`)
  return sent
}

/** The same over a connection that was opened rightly, by a device that may only look. */
async function floodAsMember(
  n: number,
  trial: AccessInstallation,
  random: Random,
  report: (problem: string) => void,
): Promise<number> {
  const { port, gateway, look } = trial
  let sent = 0
  while (sent < n && (await isWell(trial))) {
    const socket = new WebSocket(socketAddress(port))
    const closed = once(socket, 'close')
    socket.on('error', () => undefined)
    const [challenge] = (await Promise.race([once(socket, 'message'), closed])) as [Buffer]
    if (!Buffer.isBuffer(challenge)) {
      report(`the gateway closed the door: ${trial.process.log().slice(-500)}`)
      return sent
    }
    const { nonce } = JSON.parse(challenge.toString('utf8')) as { nonce: string }
    const signature = signText(
      look.keys.privateKey,
      helloText({ nonce, gateway, device: look.id, address: `http://127.0.0.1:${port}` }),
    )
    socket.send(JSON.stringify({ type: 'hello', device: look.id, signature, since: null }))
    await Promise.race([once(socket, 'message'), closed])
    const line = (socket as unknown as { _socket: NodeJS.WritableStream })._socket
    for (let frame = 0; frame < 100 && socket.readyState === WebSocket.OPEN; frame += 1) {
      line.write(socketFrame(random))
      sent += 1
      if (frame % 20 === 19) await new Promise((resolve) => setImmediate(resolve))
    }
    socket.close()
    const late = setTimeout(() => socket.terminate(), 1_000)
    await closed
    clearTimeout(late)
  }
  return sent
}

async function isWell({ process }: AccessInstallation): Promise<boolean> {
  try {
    const health = await fetch(`${process.url}/v1/health`, { signal: AbortSignal.timeout(30_000) })
    return health.ok && !/uncaught|unhandled/i.test(process.log())
  } catch {
    // Nobody answers.
    return false
  }
}
