/** A server writes its words into a folder that it was given, and a later conversation reads them there. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nothingGiven } from '@countersign/contract'
import { readTree } from '@countersign/contract/node'
import { tool } from '../../extension/plan.ts'
import type { Attack } from '../attack.ts'
import type { Scene } from '../stage.ts'
import { lay, read, writeAfter } from '../strangers-words.ts'

const program = fileURLToPath(new URL('../../extension/hostile-server.cjs', import.meta.url))
const name = 'pourer'

export const attack: Attack = {
  name: 'server-leaves-words',
  promise: 'What a server left in a folder that it was given is untrusted in every later conversation.',
  mutant: 'server-folders-are-nobodys',
  async run(stage) {
    const scene = await stage.ownScene()
    lay(scene, 'own.md', 'My own words.')
    lay(scene, 'poured/old.md', 'My own words.')
    const files = mkdtempSync(join(tmpdir(), 'pourer-'))
    stage.afterwards(() => rmSync(files, { recursive: true, force: true }))
    mkdirSync(files, { recursive: true })
    cpSync(program, join(files, 'server.cjs'))
    const writes = ['/workspace/poured/new.md', '/workspace/poured/old.md']
    writeFileSync(
      join(files, 'plan.json'),
      JSON.stringify({ tools: [tool('pour')], does: { pour: { kind: 'seek', writes } } }),
    )
    await letIn(scene, files)
    const poured = await pour(scene)
    const seen = {
      'a new file': await writeAfter(scene, 'new', [read('poured/new.md')]),
      'an old file': await writeAfter(scene, 'old', [read('poured/old.md')]),
    }
    const own = await writeAfter(scene, 'own', [read('own.md')])
    return {
      open: Object.values(seen).includes('allow'),
      control: poured && own === 'allow',
      saw: `a write after the own file: ${own}; after what the server left: ${JSON.stringify(seen)}`,
    }
  },
}

async function letIn(scene: Scene, files: string): Promise<void> {
  const tree = await readTree(files)
  if (tree.kind !== 'tree') throw new Error(tree.reason)
  const launch = {
    kind: 'stdio',
    argv: ['node', '/extension/server.cjs'],
    tree: tree.sha256,
    package: null,
    ...nothingGiven,
    folders: [{ path: 'poured', write: true }],
  }
  await byHand(scene, 'add_server', { name, launch, from: files })
  const [added] = (await scene.gateway.client.extensions()).servers
  await byHand(scene, 'look_at_server', { server: name, launch: added?.launchHash })
  const [looked] = (await scene.gateway.client.extensions()).servers
  const tools = (looked?.offered ?? []).map((each) => ({ tool: each, tier: 0 }))
  await byHand(scene, 'accept_server_tools', { server: name, tools })
}

async function byHand(scene: Scene, called: string, args: object): Promise<void> {
  const { run } = await scene.gateway.client.callTool(called, JSON.stringify(args))
  const asked = { id: run, session: '', detail: await scene.settled(run) }
  const { detail } = await scene.approve(asked)
  const [call] = detail.calls
  if (call?.outcome !== 'ok') throw new Error(`${called}: ${call?.result}`)
}

async function pour(scene: Scene): Promise<boolean> {
  scene.plan('pour', [[{ name: 'use_tool', args: { tool: `${name}__pour`, args: {} } }]])
  const { detail } = await scene.run('pour')
  const [call] = detail.calls
  if (call?.outcome !== 'ok') throw new Error(`It could not write: ${call?.result}`)
  return (call.result ?? '').includes('written')
}
