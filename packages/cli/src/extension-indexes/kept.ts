/** Owns the list of indexes that the operator added on this computer, with what was last seen of each. There is none at first. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CountersignError, type KeptIndex, KeptIndexes } from '@countersign/contract'
import { type HomePaths, replaceFile } from '@countersign/contract/node'

export function keptIndexes(paths: Pick<HomePaths, 'config'>): readonly KeptIndex[] {
  const path = fileOf(paths)
  if (!existsSync(path)) return []
  try {
    return KeptIndexes.parse(JSON.parse(readFileSync(path, 'utf8'))).indexes
  } catch (error) {
    throw new CountersignError('config_invalid', `The list of indexes ${path} is damaged.`, {
      cause: error,
      next: 'Remove the file and add the indexes again.',
    })
  }
}

export function keepIndexes(paths: Pick<HomePaths, 'config'>, indexes: readonly KeptIndex[]): void {
  replaceFile(fileOf(paths), `${JSON.stringify({ v: 1, indexes }, null, 2)}\n`)
}

function fileOf({ config }: Pick<HomePaths, 'config'>): string {
  return join(dirname(config), 'extension-indexes.json')
}
