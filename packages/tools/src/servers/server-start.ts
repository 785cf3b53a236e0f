/** Owns what it does to start a server that was let in and ask it something that is no call of an accepted tool. */
import type { InstalledServer } from '@countersign/contract'
import type { EffectsResult } from '../definition.ts'
import { extensionResource } from '../extensions/entry.ts'
import type { Inspector } from '../inspector.ts'
import { launchPlaces, launchSecrets, launchText } from './launch-words.ts'
import { givenFolders } from './server-folders.ts'

/** `launch` is the hash of how it is started, as it was shown. */
export async function startedServer(
  server: InstalledServer,
  launch: string,
  inspect: Inspector,
): Promise<EffectsResult> {
  const { name } = server
  if (server.launchHash !== launch)
    return { kind: 'invalid', reason: `The server ${name} is started in another way by now.` }
  if (server.paused) return { kind: 'invalid', reason: `The server ${name} is paused.` }
  const folders = await givenFolders(server.launch, inspect)
  if ('kind' in folders) return folders
  return {
    kind: 'found',
    resources: [extensionResource(inspect.extensions(), { kind: 'server', name, op: 'use' }), ...folders],
    effects: [
      {
        verb: 'execute',
        object: `the server ${name}. ${launchText(server.launch).replaceAll('\n', '; ')}`,
        scope: 'boundary',
        reversible: false,
        outward: launchPlaces(server.launch).length > 0,
        leaves: [],
      },
    ],
    secrets: launchSecrets(server.launch),
    places: launchPlaces(server.launch),
  }
}
