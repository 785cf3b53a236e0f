/** Puts requests up in rounds and lets both devices decide them at once; then lets everything come to rest. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ApprovalId } from '@countersign/contract'
import { type GatewayProcess, type Installation, openInstallation, settledRun } from '@countersign/harness'
import { createRandom, type Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { problemsIn } from './story.ts'
import { type ApprovalAct, type ApprovalAttempt, type ApprovalSurface, twoSurfaces } from './surfaces.ts'

const requestsPerRound = 10
const kinds = ['plain', 'expiry', 'restart'] as const
const tending = fileURLToPath(new URL('./fast-tending.ts', import.meta.url))
const patienceMs = 90_000
/** A mutant may leave a run that never ends; it was caught long before. */
const mutantPatienceMs = 15_000

interface Scene {
  readonly installation: Installation
  readonly random: Random
  readonly surfaces: readonly [ApprovalSurface, ApprovalSurface]
  readonly attempts: ApprovalAttempt[]
  readonly tokens: string[]
  readonly receiver: Receiver
  readonly patienceMs: number
  gateway: GatewayProcess
}

/** Where the requests lead when they are approved: twice is not once. */
interface Receiver {
  readonly port: number
  marksOf(token: string): readonly string[]
  close(): void
}

/** One request that waits, and the run that waits for it. */
interface Waiting {
  readonly token: string
  readonly run: string
  readonly approval: ApprovalId
  readonly expiresAt: string
}

export async function runTrials(
  { n, seed, log }: SuiteOptions,
  mutant: string | undefined,
): Promise<SuiteResult> {
  const random = createRandom(seed)
  const receiver = await openReceiver()
  const installation = await openInstallation({
    passing: true,
    environment: { COUNTERSIGN_LOCAL_TARGETS: `127.0.0.1:${receiver.port}` },
    nodeArguments: ['--import', tending, ...(mutant === undefined ? [] : ['--import', mutant])],
    script: ({ lastUser, lastResults }) =>
      lastResults.length > 0
        ? { text: 'Done.' }
        : { calls: [{ name: 'http_request', args: argsFor(receiver, lastUser) }] },
  })
  try {
    const surfaces = twoSurfaces(installation)
    const scene: Scene = {
      installation,
      random,
      surfaces,
      attempts: [],
      tokens: [],
      receiver,
      patienceMs: mutant === undefined ? patienceMs : mutantPatienceMs,
      gateway: await installation.start(),
    }
    const problems: string[] = []
    const rounds = Math.ceil(n / requestsPerRound)
    for (let number = 0; number < rounds; number += 1) {
      const kind = kinds[number % kinds.length] ?? 'plain'
      problems.push(...(await round(scene, kind).catch((error: unknown) => [`${kind}: ${String(error)}`])))
      log(`round ${number + 1} of ${rounds}, ${kind}: ${scene.attempts.length} attempts`)
      // An installation that does not come to rest is judged no further.
      if (problems.length > 0) break
    }
    if (problems.length > 0) {
      await scene.gateway.kill()
      scene.gateway = await installation.start()
    }
    const story = await problemsIn(scene.gateway.client, receiver.marksOf, scene)
    problems.push(...story.problems)
    return {
      n: scene.tokens.length,
      failures: problems.length,
      details: { rounds, attempts: scene.attempts.length, ...story.figures, examples: problems.slice(0, 10) },
    }
  } finally {
    await installation.close()
    receiver.close()
  }
}

async function openReceiver(): Promise<Receiver> {
  const marks: { readonly path: string; readonly words: string }[] = []
  const server = createServer((request, response) => {
    let words = ''
    request.on('data', (chunk: Buffer) => {
      words += chunk.toString()
    })
    request.on('end', () => {
      marks.push({ path: request.url ?? '', words })
      response.end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    marksOf: (token) => marks.filter(({ path }) => path === `/${token}.mark`).map(({ words }) => words),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const argsFor = ({ port }: Receiver, words: string) => ({
  url: `http://127.0.0.1:${port}/${words.split(' ', 1)[0]}.mark`,
  method: 'POST',
  body: words,
})
const editedArgs = (receiver: Receiver, token: string) => JSON.stringify(argsFor(receiver, `${token} edited`))

async function round(scene: Scene, kind: (typeof kinds)[number]): Promise<string[]> {
  const waiting = await Promise.all(Array.from({ length: requestsPerRound }, () => ask(scene)))
  if (kind === 'expiry') {
    // The first of them ends in a moment, the last a moment later.
    const first = Math.min(...waiting.map(({ expiresAt }) => Date.parse(expiresAt)))
    scene.installation.pass(first - scene.installation.now().getTime() - 300)
  }
  const { random } = scene
  const spreadMs = kind === 'expiry' ? 2_500 : 25
  const contests = waiting.map((one) =>
    Promise.all(
      contestants(random).map(async ([surface, act]) => {
        await sleep(random.below(spreadMs))
        return fire(scene, one, surface, act)
      }),
    ),
  )
  if (kind === 'restart') {
    await sleep(random.below(300))
    await scene.gateway.kill()
    await Promise.all(contests)
    scene.gateway = await scene.installation.start()
  }
  const lost = (await Promise.all(contests)).flat().filter(isLost)
  // Whoever heard nothing asks again.
  await Promise.all(
    lost.map(async ({ approval, device, act }) => {
      const one = waiting.find((each) => each.approval === approval)
      const surface = scene.surfaces.find((each) => each.device === device)
      if (one && surface) await fire(scene, one, surface, act)
    }),
  )
  return rest(scene, waiting)
}

/** Two to four at once, from both devices; at least one of them would end the wait. */
function contestants(random: Random): [number, ApprovalAct][] {
  const ending: readonly ApprovalAct[] = ['approve', 'approve', 'deny', 'edit']
  const any: readonly ApprovalAct[] = [...ending, 'extend']
  return Array.from({ length: 2 + random.below(3) }, (_, at) => [
    at % 2,
    random.pick(at === 0 ? ending : any),
  ])
}

async function ask({ gateway: { client }, tokens, patienceMs: limit }: Scene): Promise<Waiting> {
  const token = `t${tokens.length}`
  tokens.push(token)
  const { run } = await client.send({
    key: `approvals-race-${token}`,
    session: null,
    text: token,
    mode: 'auto',
  })
  const { approvals } = await settledRun(client, run ?? '', 'parked', limit)
  const [approval] = approvals
  if (!approval) throw new Error(`${token} was not asked about`)
  return { token, run: run ?? '', approval: approval.id, expiresAt: approval.expiresAt }
}

async function fire(
  scene: Scene,
  { approval, token }: Pick<Waiting, 'approval' | 'token'>,
  by: number | ApprovalSurface,
  act: ApprovalAct,
): Promise<ApprovalAttempt> {
  const surface = typeof by === 'number' ? (scene.surfaces[by] as ApprovalSurface) : by
  const attempt = await surface.attempt(scene.gateway.url, approval, act, editedArgs(scene.receiver, token))
  scene.attempts.push(attempt)
  return attempt
}

function isLost({ told }: ApprovalAttempt): boolean {
  return told !== 'done' && told.code === 'gateway_unreachable'
}

/** Decides what still waits, one by one, and answers what a kill left open, until every run has ended. */
async function rest(scene: Scene, waiting: readonly Waiting[]): Promise<string[]> {
  const { gateway, receiver, random, patienceMs: limit } = scene
  const { client } = gateway
  const until = Date.now() + limit
  for (;;) {
    const runs = await Promise.all(waiting.map(({ run }) => client.run(run)))
    const open = runs.filter(({ run }) => run.state !== 'stopped')
    if (open.length === 0) return []
    if (Date.now() > until) return open.map(({ run }) => `${run.id} is still ${run.state} on ${run.parkedOn}`)
    for (const { run, approvals } of open) {
      const token = waiting.find((one) => one.run === run.id)?.token ?? ''
      for (const { id, state } of approvals)
        if (state === 'pending')
          await fire(scene, { approval: id, token }, random.below(2), random.pick(['approve', 'deny']))
      for (const question of await client.questions()) {
        if (question.run !== run.id) continue
        const answer = receiver.marksOf(token).length > 0 ? 'done' : 'not done'
        await client.answer(question.id, { answer }).catch(() => undefined)
      }
    }
    await sleep(50)
  }
}
