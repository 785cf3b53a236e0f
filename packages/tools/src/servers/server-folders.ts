/**
 * Owns how a call of a server names the folders of the workspace that the server was given: it may read and change anything
 * in them, so what it is told counts by what they hold, and what it leaves there is a stranger's. Refuses one that is a link.
 */
import type { FileResource, ServerLaunch } from '@countersign/contract'
import type { EffectsResult } from '../definition.ts'
import { fileResource, inspectFile } from '../files/file-effects.ts'
import type { Inspector } from '../inspector.ts'

export async function givenFolders(
  launch: ServerLaunch,
  inspect: Inspector,
): Promise<readonly FileResource[] | Exclude<EffectsResult, { kind: 'found' }>> {
  if (launch.kind === 'http') return []
  const resources: FileResource[] = []
  for (const { path, write } of launch.folders) {
    const seen = await inspectFile(path, inspect)
    if (seen.kind !== 'seen') return seen
    if (seen.inspection.kind !== 'directory')
      return { kind: 'invalid', reason: `The folder ${path} is not in the workspace. Make it first.` }
    resources.push(fileResource('read', seen))
    if (write) resources.push(fileResource('write', seen))
  }
  return resources
}
