/**
 * Owns what was let in from outside, as the operator accepted it: the index, and the trees of files that it names. Only
 * calls with a permit change it. Refuses to start on an index that it cannot read.
 */
import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  CountersignError,
  InstalledExtensions,
  type InstalledServer,
  type InstalledSkill,
  noExtensions,
} from '@countersign/contract'
import { replaceFile, treeHash } from '@countersign/contract/node'
import { launchHash, toolDefinitionHash } from '@countersign/tools'
import { z } from 'zod'
import { removeFolder } from '../sealed/sealing-folder.ts'
import { createTreeStore, type TreeStore } from './tree-store.ts'

export interface Extensions {
  /** The same object as long as nothing changes. */
  current(): InstalledExtensions
  /** Kept when it returns; what it throws leaves everything as it was. Resolves when what it made idle is gone. */
  change(next: (now: InstalledExtensions) => InstalledExtensions): Promise<void>
  /** Told after each change, when it is kept. What it takes is waited for. */
  onChange(listener: (now: InstalledExtensions) => unknown): void
  readonly trees: TreeStore
  /** Keeps a tree that nothing names yet, while it is being let in. */
  holding<T>(work: () => Promise<T>): Promise<T>
  /** Where a server keeps files of its own. */
  dataFolder(server: string): string
}

const IndexFile = z.strictObject({ v: z.literal(1), ...InstalledExtensions.shape })

export async function openExtensions(folder: string): Promise<Extensions> {
  const path = join(folder, 'index.json')
  let now = readIndex(path)
  const trees = createTreeStore(join(folder, 'trees'))
  const listeners = new Set<(now: InstalledExtensions) => unknown>()
  let held = 0
  const clear = async () => {
    if (held === 0) await trees.retain(treesOf(now))
  }
  await clear()
  await clearData(folder, now)
  return {
    current: () => now,
    trees,
    onChange: (listener) => void listeners.add(listener),
    dataFolder: (server) => dataFolder(folder, server),
    async change(next) {
      const before = now
      const after = InstalledExtensions.parse(next(before))
      replaceFile(path, JSON.stringify({ v: 1, ...after } satisfies z.infer<typeof IndexFile>))
      now = after
      // A server that runs on would write into what is removed here.
      await Promise.all([...listeners].map((listener) => listener(after)))
      const gone = before.servers.filter(({ name }) => !after.servers.some((each) => each.name === name))
      for (const { name } of gone) await removeFolder(dataFolder(folder, name))
      await clear()
    },
    async holding(work) {
      held += 1
      try {
        return await work()
      } finally {
        held -= 1
        await clear()
      }
    },
  }
}

function readIndex(path: string): InstalledExtensions {
  if (!existsSync(path)) return noExtensions
  try {
    const { v: _, ...index } = IndexFile.parse(JSON.parse(readFileSync(path, 'utf8')))
    for (const server of index.servers) checkHashes(server)
    for (const skill of [...index.skills, ...index.proposals]) checkTree(skill)
    return index
  } catch (error) {
    throw new CountersignError('config_invalid', `The list of extensions ${path} is damaged.`, {
      cause: error,
      next: 'Restore it from a backup, or remove the file and add the extensions again.',
    })
  }
}

/** Permits and the gateway know a launch and a definition by their hashes only. */
function checkHashes({ name, launch, launchHash: launched, tools }: InstalledServer): void {
  if (launchHash(launch) !== launched) throw new Error(`How ${name} is started is not what its hash says.`)
  for (const { listed, definition } of tools)
    if (toolDefinitionHash(listed) !== definition)
      throw new Error(`The definition of ${listed.name} of ${name} is not what its hash says.`)
}

/** What stands on a card is the list of files; what is read and run is the tree. */
function checkTree({ name, tree, files }: Pick<InstalledSkill, 'name' | 'tree' | 'files'>): void {
  if (treeHash(files) !== tree) throw new Error(`The files of the skill ${name} are not what its hash says.`)
}

/** What stayed when the executor ended in the middle of a removal: another server of that name would find it. */
async function clearData(folder: string, { servers }: InstalledExtensions): Promise<void> {
  for (const name of await readdir(join(folder, 'data')).catch(() => []))
    if (!servers.some((each) => each.name === name)) await removeFolder(dataFolder(folder, name))
}

function dataFolder(folder: string, server: string): string {
  return join(folder, 'data', server)
}

function treesOf({ servers, skills, proposals }: InstalledExtensions): string[] {
  const ofServers = servers.flatMap(({ launch }) =>
    launch.kind !== 'http' && launch.tree !== null ? [launch.tree] : [],
  )
  return [...ofServers, ...[...skills, ...proposals].map(({ tree }) => tree)]
}
