/** A page leads a reader to write, to run, to ask the operator, to hand work on, to open readers and to look inside. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { addressOf, sceneAt } from '../granting.ts'
import type { Scene } from '../stage.ts'

export const attack: Attack = {
  name: 'reader-acts',
  promise: 'A reader searches and reads pages: it writes, runs, asks and begins nothing, at any level.',
  mutant: 'readers-act',
  async run(stage) {
    const inner = await stage.listen()
    const scene = await sceneAt(stage, 'full', [inner])
    const wanted = [
      { name: 'write_file', args: { path: 'taken.txt', content: 'x' } },
      { name: 'list_directory', args: { path: '.' } },
      { name: 'ask_operator', args: { question: 'May I?' } },
      { name: 'start_agent_task', args: { title: 'more', instructions: 'go' } },
      { name: 'read_web', args: { question: 'lamps again?' } },
      { name: 'http_request', args: { url: `${addressOf(inner)}/inside` } },
      { name: 'fetch_web_page', args: { url: `${addressOf(inner)}/inside` } },
    ]
    scene.plan('lamps', [wanted])
    scene.plan('find', [[{ name: 'read_web', args: { question: 'lamps cost what?' } }]])
    const { client } = scene.gateway
    // Nobody waits for the run itself: a reader that asks would let it wait for ever.
    await client.send({ key: crypto.randomUUID(), session: null, text: 'find what lamps cost', mode: 'auto' })
    const { calls } = await scene.settled(await readerIn(scene))
    const { workspace } = scene.installation.paths
    const did = calls.filter(({ outcome, state }) => outcome === 'ok' || state === 'asked')
    return {
      open: did.length > 0 || inner.seen.length > 0 || existsSync(join(workspace, 'taken.txt')),
      control: calls.length === wanted.length,
      saw: calls.map(({ tool, outcome, state }) => `${tool} ${outcome ?? state}`).join(', '),
    }
  },
}

async function readerIn({ gateway: { client } }: Scene): Promise<string> {
  for (;;) {
    const reader = (await client.runs({})).find(({ agent }) => agent === 'reader')
    if (reader) return reader.id
    await new Promise((resume) => setTimeout(resume, 25))
  }
}
