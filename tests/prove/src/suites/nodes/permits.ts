/** One run of forged permits against a node: whatever a gateway composes alone, nothing above tier 2 is done there. */
import {
  type ApprovalSubject,
  type ExecuteReply,
  type JsonObject,
  type Permit,
  type Resolution,
  Tier,
} from '@countersign/contract'
import { generateKey } from '@countersign/contract/node'
import { createRandom } from '../../../../../packages/executor/src/testing/random.ts'
import { permitFor } from '../../../../../packages/node/src/testing/scripted-gateway.ts'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import {
  byGateway,
  byOperator,
  type ForgedCall,
  type Forger,
  forgedWords,
  inventDevice,
  misusedWords,
} from './forgeries.ts'
import { type OwnNode, openOwnNode } from './own-node.ts'

type Wish = readonly [tool: string, args: JsonObject]

/** Every tool of nodes, with arguments that would show. */
const wishes: readonly Wish[] = [
  ['device_list_files', {}],
  ['device_read_file', { path: 'a.txt' }],
  ['device_write_file', { path: 'victim.txt', content: 'changed' }],
  ['device_delete_file', { path: 'victim.txt' }],
  ['device_run_program', { argv: ['/usr/bin/touch', 'ran.txt'] }],
  ['device_open_address', { url: 'https://example.org/' }],
  ['device_capture_screen', {}],
  ['device_take_picture', {}],
  ['device_read_clipboard', {}],
  ['device_write_clipboard', { text: 'changed' }],
  ['device_notify', { title: 'Look', text: 'Here.' }],
  ['device_location', {}],
]

const highestOfGateway = 2

interface Known {
  readonly tool: string
  readonly args: JsonObject
  readonly tier: Tier
  readonly resolution: Resolution
}

export async function tryPermits({
  n,
  seed,
  log,
}: Pick<SuiteOptions, 'n' | 'seed' | 'log'>): Promise<SuiteResult> {
  const random = createRandom(seed)
  const node = await openOwnNode()
  const problems: string[] = []
  const byForgery: Record<string, number> = {}
  try {
    const { gateway, link } = node
    const { device, statements } = inventDevice(gateway)
    link.send({ type: 'statements', from: gateway.statements.length, lines: [...statements] })
    const calls = await knownCalls(node)
    const first = await honest(node, calls, problems)
    const forger: Forger = {
      gateway,
      random,
      device,
      stranger: generateKey(),
      usedNonce: first.subject.nonce,
    }
    const before = node.effects()
    for (let trial = 0; trial < n; trial += 1) {
      const call = random.pick(calls)
      const permitted = call.tier <= highestOfGateway
      const kinds = Object.entries(permitted ? misusedWords : { ...forgedWords, ...misusedWords })
      const [name, forge] = random.pick(kinds)
      byForgery[name] = (byForgery[name] ?? 0) + 1
      const reply = await link.execute(forge(forgedCall(node, call, calls), forger))
      if (reply.kind !== 'refused') problems.push(`${call.tool} by ${name}: ${reply.kind}`)
      if (trial % 100 === 99 || trial === n - 1) {
        if (node.effects() !== before) problems.push(`something was done by trial ${trial}`)
        const again = await link.execute(first)
        if (again.kind !== 'done' || node.effects() !== before)
          problems.push('a replayed permit was run again')
      }
      if (problems.length > 0) break
      if (trial % 2_000 === 1_999) log(`${trial + 1} forged permits, none ran`)
    }
    // What was refused was refused for what it is: the honest ones still run.
    await honest(node, await knownCalls(node), problems)
    const tools = Object.fromEntries(calls.map(({ tool, tier }) => [tool, tier]))
    return {
      n,
      failures: problems.length,
      details: { tools, forgeries: byForgery, problems: problems.slice(0, 10) },
    }
  } finally {
    await node.close()
  }
}

/** As the node itself looks at them; what it cannot do on this computer is left out, and told. */
async function knownCalls({ link, gateway }: OwnNode): Promise<Known[]> {
  const known: Known[] = []
  for (const [tool, args] of wishes) {
    const named = { node: 'laptop', ...args }
    const reply = await link.resolve(tool, named)
    if (reply.kind !== 'resolved') continue
    const { subject } = permitFor(gateway, { tool, args: named }, reply.resolution)
    known.push({ tool, args: named, tier: Tier.parse(subject.tier), resolution: reply.resolution })
  }
  const tools = known.map(({ tool }) => tool)
  for (const needed of [
    'device_read_file',
    'device_write_file',
    'device_run_program',
    'device_capture_screen',
  ])
    if (!tools.includes(needed)) throw new Error(`${needed} cannot be tried here`)
  return known
}

function subjectOf({ gateway }: OwnNode, { tool, args, resolution }: Known): ApprovalSubject {
  return permitFor(gateway, { tool, args }, resolution).subject
}

function forgedCall(node: OwnNode, call: Known, calls: readonly Known[]): ForgedCall {
  const harmless = calls.find(
    ({ tool }) => tool === (call.tool === 'device_read_file' ? 'device_list_files' : 'device_read_file'),
  )
  if (!harmless) throw new Error('nothing harmless can be tried here')
  return { subject: subjectOf(node, call), tier: call.tier, harmless: subjectOf(node, harmless) }
}

/** Each call as it is meant to be; what is changed is put back. Gives a permit that changed something. */
async function honest(node: OwnNode, calls: readonly Known[], problems: string[]): Promise<Permit> {
  let changed: Permit | undefined
  for (const call of calls) {
    // One after the other: a change of a file changes what the next one touches.
    const reply = await node.link.resolve(call.tool, call.args)
    if (reply.kind !== 'resolved') {
      if (call.tool !== 'device_delete_file') problems.push(`${call.tool} can no longer be looked at`)
      continue
    }
    const subject = subjectOf(node, { ...call, resolution: reply.resolution })
    const permit = subject.tier > highestOfGateway ? byOperator(subject, node) : byGateway(subject, node)
    const done = await node.link.execute(permit)
    // A desktop of this suite answers nothing, so that a tool may say that it failed. It was let in all the same.
    if (done.kind === 'refused') problems.push(`honest ${call.tool}: ${done.reason}`)
    if (call.tool === 'device_run_program' && isOk(done)) changed = permit
  }
  if (!changed) throw new Error('no honest permit changed anything')
  return changed
}

function isOk(reply: ExecuteReply): boolean {
  return reply.kind === 'done' && reply.result.ok
}
