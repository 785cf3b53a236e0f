/** A real node in this process, paired by words with a gateway of the suite's own, whose every effect is counted. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '@countersign/contract/node'
import type { Pairing } from '../../../../../packages/node/src/node-home.ts'
import { keepNodePolicy } from '../../../../../packages/node/src/node-policy.ts'
import {
  makeTestFolder,
  pairTestNode,
  runTestNode,
  type TestFolder,
} from '../../../../../packages/node/src/testing/paired-node.ts'
import {
  openScriptedGateway,
  type ScriptedGateway,
  type ScriptedLink,
  tellWorld,
} from '../../../../../packages/node/src/testing/scripted-gateway.ts'

export interface OwnNode {
  readonly gateway: ScriptedGateway
  readonly pairing: Pairing
  readonly place: TestFolder
  readonly link: ScriptedLink
  /** All that it changed or ran so far: two that are equal mean that nothing was done between. */
  effects(): string
  close(): Promise<void>
}

/** Everything that its owner could switch on is on: what is refused is refused for want of the operator's word. */
export async function openOwnNode(): Promise<OwnNode> {
  const gateway = await openScriptedGateway()
  const place = makeTestFolder()
  for (const name of ['a.txt', 'victim.txt']) writeFileSync(join(place.shared, name), 'one')
  mkdirSync(join(place.shared, 'folder'))
  const pairing = await pairTestNode(gateway, place)
  keepNodePolicy(place.paths.policy, {
    v: 1,
    maxTier: 4,
    capabilities: ['files', 'shell', 'browser', 'screen', 'camera', 'clipboard', 'notifications', 'location'],
    paths: ['.'],
    writable: ['.'],
    programs: 'any',
  })
  const started: string[] = []
  const node = await runTestNode(place, pairing, {
    environment: { DISPLAY: ':9' },
    programs: {
      find: (program) => Promise.resolve(`/usr/bin/${program}`),
      run(command) {
        started.push(command.program)
        return Promise.resolve({ kind: 'answered', output: '', truncated: false })
      },
    },
  })
  const link = await gateway.connection()
  tellWorld(gateway, link)
  return {
    gateway,
    pairing,
    place,
    link,
    effects: () => sha256Hex(JSON.stringify([started, filesOf(place.shared)])),
    async close() {
      await node.close()
      await gateway.close()
      place.remove()
    },
  }
}

function filesOf(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => [join(entry.parentPath, entry.name), entry.isFile()] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, isFile]) => [path, isFile ? readFileSync(path, 'utf8') : ''])
}
