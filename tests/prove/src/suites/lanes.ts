/**
 * Proves that a session is a lane: two gateways on one home take the messages of many sessions in turns and all at
 * once, one of them is killed on the way, and still no session ever has two runs at a time, every message is answered
 * once, and in the order of admission. `n` is the number of messages, five to a session. The model server is the
 * witness of what ran when.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type AdmissionReply, CountersignError } from '@countersign/contract'
import { type GatewayProcess, type Installation, openInstallation } from '@countersign/harness'
import type { Script } from '@countersign/model-servers'
import { createRandom, type Random } from '../../../../packages/executor/src/testing/random.ts'
import type { Suite, SuiteOptions, SuiteResult } from '../suite.ts'

export const lanes: Suite = {
  name: 'lanes',
  defaultSize: 1_000,
  mutants: ['lane-ignored', 'newest-first'],
  run,
}

const messagesPerSession = 5
const longestThinkMs = 40
/** A survivor finds unstarted work of a dead process in two rounds of its sweep. */
const patienceMs = 90_000
const mutantPatienceMs = 20_000

async function run(options: SuiteOptions): Promise<SuiteResult> {
  const random = createRandom(options.seed)
  const witness = createWitness(random)
  const installation = await openInstallation({
    script: witness.script,
    ...(options.mutant ? { nodeArguments: ['--import', mutantPath(options.mutant)] } : {}),
  })
  try {
    return await talk(options, { installation, witness, random })
  } finally {
    await installation.close()
  }
}

function mutantPath(mutant: string): string {
  if (!lanes.mutants.includes(mutant)) throw new Error(`no mutant ${mutant}`)
  return fileURLToPath(new URL(`../mutants/${mutant}.ts`, import.meta.url))
}

interface Bench {
  readonly installation: Installation
  readonly witness: Witness
  readonly random: Random
}

async function talk(options: SuiteOptions, bench: Bench): Promise<SuiteResult> {
  const { installation, witness, random } = bench
  const first = await installation.start()
  const doomed = await installation.start()
  const sessions = Math.ceil(options.n / messagesPerSession)
  const total = sessions * messagesPerSession
  const sender = createSender(first, doomed)

  const killAfter = Math.floor(total * (0.3 + random.below(40) / 100))
  const killed = (async () => {
    while (sender.acknowledged() < killAfter) await sleep(5)
    await doomed.kill()
    sender.turnAway()
  })()
  await Promise.all(
    Array.from({ length: sessions }, async (_, index) => {
      const name = `s${index}`
      const { session } = await sender.send(name, 0, null)
      const later = Array.from({ length: messagesPerSession - 1 }, (_each, number) => number + 1)
      await Promise.all(later.map((number) => sender.send(name, number, session)))
    }),
  )
  await killed
  options.log(`${sender.acknowledged()} acknowledged, ${witness.answered()} answered, one gateway killed`)

  const until = Date.now() + (options.mutant ? mutantPatienceMs : patienceMs)
  const isDone = async () =>
    witness.overlaps.length > 0 ||
    ((await first.client.status()).runs.running === 0 && witness.answered() >= total)
  while (!(await isDone()) && Date.now() < until) await sleep(50)
  const problems = await problemsOf(bench, first, { total, sessions: sender.sessions })
  options.log(`${witness.answered()} answered, ${problems.length} problems`)
  return {
    n: total,
    failures: problems.length,
    details: {
      sessions,
      acknowledged: sender.acknowledged(),
      resent: sender.resent(),
      killedAfter: killAfter,
      modelRequests: witness.requests(),
      examples: problems.slice(0, 10),
    },
  }
}

/** Sends by turns through both gateways; what the dead one did not acknowledge goes to the other under the same key. */
function createSender(first: GatewayProcess, doomed: GatewayProcess) {
  const sessions = new Map<string, AdmissionReply['session']>()
  let isDead = false
  let count = 0
  let acknowledged = 0
  let resent = 0

  async function send(
    name: string,
    number: number,
    session: AdmissionReply['session'] | null,
  ): Promise<AdmissionReply> {
    const message = {
      key: `lane-${name}-${number}`,
      session,
      text: `${name} ${number}`,
      mode: 'queue' as const,
    }
    count += 1
    const { client } = count % 2 === 0 && !isDead ? doomed : first
    const admitted = await client.send(message).catch((error: unknown) => {
      if (!(error instanceof CountersignError) || error.code !== 'gateway_unreachable') throw error
      resent += 1
      return first.client.send(message)
    })
    acknowledged += 1
    sessions.set(name, admitted.session)
    return admitted
  }

  return {
    send,
    sessions,
    acknowledged: () => acknowledged,
    resent: () => resent,
    turnAway() {
      isDead = true
    },
  }
}

interface Witness {
  readonly script: Script
  /** What the model was asked in each session, in the order in which it was asked. */
  readonly asked: ReadonlyMap<string, readonly string[]>
  readonly overlaps: readonly string[]
  answered(): number
  requests(): number
}

function createWitness(random: Random): Witness {
  const asked = new Map<string, string[]>()
  const busy = new Map<string, string>()
  const answered = new Set<string>()
  const overlaps: string[] = []
  let requests = 0
  return {
    asked,
    overlaps,
    answered: () => answered.size,
    requests: () => requests,
    async script({ lastUser }) {
      const session = lastUser.split(' ', 1)[0] ?? ''
      requests += 1
      const other = busy.get(session)
      if (other !== undefined) overlaps.push(`${session}: "${lastUser}" began during "${other}"`)
      busy.set(session, lastUser)
      asked.set(session, [...(asked.get(session) ?? []), lastUser])
      await sleep(1 + random.below(longestThinkMs))
      busy.delete(session)
      answered.add(lastUser)
      return { text: replyTo(lastUser) }
    },
  }
}

const replyTo = (text: string) => `answer to ${text}`

async function problemsOf(
  { witness }: Bench,
  { client }: GatewayProcess,
  expected: { readonly total: number; readonly sessions: ReadonlyMap<string, string> },
): Promise<string[]> {
  const problems = [...witness.overlaps]
  const admitted = await admissions(client)
  for (const [name, id] of expected.sessions) {
    const order = admitted.get(id) ?? []
    if (new Set(order).size !== messagesPerSession || order.length !== messagesPerSession)
      problems.push(`${name}: admitted ${order.join(', ')}`)
    // A request that a crash cut off is made again, before any other.
    const asked = (witness.asked.get(name) ?? []).filter((text, index, all) => text !== all[index - 1])
    if (asked.join() !== order.join())
      problems.push(`${name}: admitted ${order.join(', ')} and asked ${asked.join(', ')}`)
    const { messages } = await client.session(id)
    const replies = messages.filter(({ role }) => role === 'assistant').map(({ text }) => text)
    if (replies.join() !== order.map(replyTo).join()) problems.push(`${name}: replied ${replies.join(', ')}`)
  }
  return problems
}

/** The texts of each session in the order of their commits. */
async function admissions(client: GatewayProcess['client']): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (let since = 0; ; ) {
    const events = await client.events(since, 1_000)
    for (const { body } of events) {
      if (body.type === 'input.admitted')
        found.set(body.session, [...(found.get(body.session) ?? []), body.text])
    }
    const last = events.at(-1)
    if (!last) return found
    since = last.seq
  }
}
