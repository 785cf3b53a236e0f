/** Owns a test's own way into the embedded database, beside the gateway. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '@countersign/contract/node'
import type { House } from './house.ts'

export interface DatabaseConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly password: string
}

export function connectionOf(house: Pick<House, 'paths'>): DatabaseConnection {
  const folders = [house.paths.database, join('/var/lib/countersign', sha256Hex(house.paths.database).slice(0, 16))]
  for (const folder of folders) {
    try {
      const password = readFileSync(join(folder, 'instance', 'password'), 'utf8').trim()
      const pidFile = readFileSync(join(folder, 'instance', 'cluster', 'postmaster.pid'), 'utf8').split('\n')
      return { host: pidFile[4] ?? '', port: Number(pidFile[3]), user: 'countersign', database: 'countersign', password }
    } catch {
      continue
    }
  }
  throw new Error('No embedded database runs for this house.')
}
