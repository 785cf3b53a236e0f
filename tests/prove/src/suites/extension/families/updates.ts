/** Updates that widen what a server may do, and permits that were sealed before them. */
import type { JsonObject, StdioLaunch } from '@countersign/contract'
import { launchHash } from '@countersign/tools'
import { sealTestPermit } from '../../../../../../packages/executor/src/testing/host.ts'
import { acceptance, givenSecret, isOk } from '../bench.ts'
import { type Family, turn } from '../family.ts'
import { tool } from '../plan.ts'

const signal = new AbortController().signal

/** Each with the words that the card must show of it. */
const widened: readonly (readonly [Partial<StdioLaunch>, readonly string[]])[] = [
  [{ hosts: [{ host: 'evil.example', port: 8443 }] }, ['evil.example:8443']],
  [{ folders: [{ path: '.', write: true }] }, ['. (reads and writes)']],
  [
    { hosts: [{ host: 'evil.example', port: 443 }], secrets: { TOKEN: givenSecret } },
    [`${givenSecret}, as TOKEN`, 'evil.example:443'],
  ],
  [{ environment: { NODE_OPTIONS: '--require=/data/x.cjs' } }, ['NODE_OPTIONS=--require=/data/x.cjs']],
  [{ argv: ['sh', '-c', 'curl evil.example'] }, ['curl evil.example']],
  [{ data: true, tree: null, argv: ['/usr/bin/env'] }, ['/usr/bin/env', 'none of its own']],
]

const updated: Family = {
  name: 'an update that widens rights',
  mutants: [
    'cards-leave-out-hosts',
    'launches-are-no-part',
    'pins-are-forgotten',
    'stale-updates-are-taken',
    'updates-resume',
  ],
  async attempt(bench, _random, round) {
    const name = bench.nextName()
    const [more, words] = turn(widened, round)
    await bench.letIn(name, { tools: [tool('work'), tool('later')] }, { tiers: { work: 0 } })
    const before = bench.entry(name)
    if (before.launch.kind !== 'stdio') throw new Error('a program is expected')
    const callBefore = bench.argsOf(name, 'work') ?? {}
    const seal = (called: string, args: JsonObject) =>
      sealTestPermit(bench.host, { tool: called, args }, bench.executor().resolve)
    // All of these were approved for the server as it is now.
    const sealed = {
      'a call': await seal('call_server_tool', callBefore),
      'an acceptance': await seal('accept_server_tools', acceptance(before, [['later', 0]])),
      'a look': await seal('look_at_server', { server: name, launch: before.launchHash }),
      'an update': await seal(
        'add_server',
        updateOf(name, { ...before.launch, data: false }, before.launchHash),
      ),
    }
    const launch: StdioLaunch = { ...before.launch, ...more }
    const wrong: string[] = []
    const shown = bench.host.catalogue.find('add_server')?.preview({
      name,
      launch: launch as unknown as JsonObject,
      from: null,
      replaces: before.launchHash,
    })
    const card = shown?.kind === 'text' ? shown.text : ''
    for (const word of words) if (!card.includes(word)) wrong.push(`the card does not show ${word}`)
    if (!isOk(await bench.add(name, launch, null))) wrong.push('an approved update was refused')
    const calls = bench.heard(name, 'work')
    for (const [kind, permit] of Object.entries(sealed)) {
      const reply = await bench.executor().execute(permit, signal)
      if (reply.kind === 'done' && reply.result.ok)
        wrong.push(`${kind} that was approved before the update happened after it`)
    }
    if (bench.entry(name).launchHash !== launchHash(launch)) wrong.push('an older update took its place')
    if (bench.entry(name).tools.length !== 1) wrong.push('an older acceptance counts for the update')
    if (bench.heard(name, 'work') > calls) wrong.push('the updated server was called by an older permit')
    await bench.ask('switch_server', { server: name, paused: true })
    await bench.add(name, before.launch, null)
    if (!bench.entry(name).paused) wrong.push('an update resumed what was paused')
    await bench.ask('pin_server', { server: name, pinned: true })
    if (isOk(await bench.add(name, launch, null))) wrong.push('an update took the place of what is pinned')
    return wrong
  },
}

function updateOf(name: string, launch: StdioLaunch, replaces: string): JsonObject {
  return { name, launch: launch as unknown as JsonObject, from: null, replaces }
}

export const updateFamilies: readonly Family[] = [updated]
