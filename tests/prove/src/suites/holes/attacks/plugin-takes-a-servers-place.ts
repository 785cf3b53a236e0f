/** While the card of a plugin waits, a server is let in by its name and pinned; then the plugin is put there. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operatorLabel, type Resource, type RunId, type ServerLaunch } from '@countersign/contract'
import { readTree } from '@countersign/contract/node'
import { extensionResource, launchHash } from '@countersign/tools'
import { extensionCapabilities } from '../../../../../../packages/executor/src/capabilities/extensions.ts'
import { openExtensions } from '../../../../../../packages/executor/src/extensions/extensions.ts'
import type { Attack } from '../attack.ts'

const author = { agent: 'main', run: `run_${'0'.repeat(32)}` as RunId, provenance: operatorLabel }
const state = { tools: [], offered: [], gone: [], listedAt: null, paused: false }
const of = (name: string, launch: ServerLaunch) => ({
  name,
  launch,
  launchHash: launchHash(launch),
  ...state,
})
const pluginNamed = (name: string, tree: string) => {
  const head = { api: 1, name, version: '1.0.0', description: 'x', author: 'x', main: 'x.js' } as const
  const manifest = { ...head, secrets: {}, data: false, sections: [] }
  const given = { files: [], source: 'x', folders: [], hosts: [], secrets: {}, data: false }
  return of(name, { kind: 'plugin', manifest, tree, ...given })
}

export const attack: Attack = {
  name: 'plugin-takes-a-servers-place',
  promise: 'What was let in by a name loses it to nothing of another kind, whenever that was approved.',
  mutant: 'kinds-share-their-names',
  async run(stage) {
    const folder = mkdtempSync(join(tmpdir(), 'extensions-'))
    stage.afterwards(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'plugin')
    mkdirSync(path)
    writeFileSync(join(path, 'x.js'), 'export default []')
    const tree = await readTree(path)
    const extensions = await openExtensions(join(folder, 'kept'))
    const permitted = (kind: 'server' | 'plugin', name: string) => {
      const resources: Resource[] = [extensionResource(extensions.current(), { kind, name, op: 'add' })]
      return extensionCapabilities(
        { ...author, resources },
        { extensions, now: () => new Date(), closed: [] },
      )
    }
    const approved = permitted('plugin', 'house')
    const server = of('house', { kind: 'http', url: 'https://house.test/mcp', secret: null })
    await permitted('server', 'house').putServer({ ...server, pinned: true }, null)
    const plugin = (name: string) => pluginNamed(name, tree.kind === 'tree' ? tree.sha256 : '')
    await approved.putServer(plugin('house'), { kind: 'folder', path })
    const kind = extensions.current().servers.find(({ name }) => name === 'house')?.launch.kind
    const honest = await permitted('plugin', 'other').putServer(plugin('other'), { kind: 'folder', path })
    return {
      open: kind !== 'http',
      control: honest.kind === 'kept',
      saw: `by the name: ${kind ?? 'nothing'}; a plugin by its own name: ${JSON.stringify(honest)}`,
    }
  },
}
