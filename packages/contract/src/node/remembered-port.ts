/** Owns the port that the gateway of this home had last, so that open pages and keys of browsers fit after a restart. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from './files.ts'
import type { HomePaths } from './home.ts'

export const usualPort = 7347

/** Undefined where none is remembered, or where what stands there is no port. */
export function rememberedPort({ state }: Pick<HomePaths, 'state'>): number | undefined {
  const path = fileIn(state)
  if (!existsSync(path)) return undefined
  const text = readFileSync(path, 'utf8').trim()
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535 ? port : undefined
}

export function rememberPort({ state }: Pick<HomePaths, 'state'>, port: number): void {
  replaceFile(fileIn(state), `${port}\n`)
}

const fileIn = (state: string): string => join(state, 'port')
