/** Owns the way of a trial to the database of its installation, past the installation: what it holds is read there and nowhere else. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HomePaths, sha256Hex } from '@countersign/contract/node'

export interface DatabaseAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly password: string
}

/** Throws while no database runs. */
export function databaseOf(paths: HomePaths): DatabaseAddress {
  for (const base of [paths.database, elsewhere(paths)]) {
    const found = addressIn(join(base, 'instance'))
    if (found) return found
  }
  throw new Error('The database does not run.')
}

/** Under root the launcher keeps the data elsewhere, in a folder that is named after the home. */
export function elsewhere(paths: HomePaths): string {
  return join('/var/lib/countersign', sha256Hex(paths.database).slice(0, 16))
}

function addressIn(instance: string): DatabaseAddress | undefined {
  try {
    const lines = readFileSync(join(instance, 'cluster', 'postmaster.pid'), 'utf8').split('\n')
    return {
      host: lines[4] ?? '',
      port: Number(lines[3]),
      user: 'countersign',
      database: 'countersign',
      password: readFileSync(join(instance, 'password'), 'utf8').trim(),
    }
  } catch {
    return undefined
  }
}
