/** Looks at the settings: the keys that nobody knows, and the port that somebody else holds. */

import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { CountersignError } from '@countersign/contract'
import { bad, type DoctorFinding, ok } from '@countersign/contract/doctor'
import {
  folderProblem,
  type HomePaths,
  readSettings,
  rememberedPort,
  type Settings,
  usualPort,
} from '@countersign/contract/node'
import { ConfigFile, nearestSetting } from '@countersign/contract/settings'
import { liveLeases } from '../leases.ts'

/** The keys of `config.json`, as the gateway reads them. */
const settingKeys = Object.keys(ConfigFile.shape)

export function settings(paths: HomePaths): DoctorFinding {
  if (!existsSync(paths.config)) return ok('config', `no ${paths.config}; all settings have their defaults`)
  const read = settingsIn(paths.config)
  if (read === undefined)
    return bad('config', `${paths.config} is not a JSON object`, `Correct ${paths.config}, or move it away.`)
  const unknown = Object.keys(read).filter((key) => !isKnown(key))
  if (unknown.length === 0) return ok('config', paths.config)
  const words = unknown.map((key) => {
    const meant = nearestSetting(key)
    return meant === undefined ? `\`${key}\`` : `\`${key}\`, perhaps \`${meant}\``
  })
  return bad(
    'config',
    `unknown in ${paths.config}: ${words.join('; ')}`,
    `Correct or remove ${unknown.map((key) => `\`${key}\``).join(', ')} in ${paths.config}; the gateway does not start with it.`,
  )
}

/** Looks only where no gateway of this home runs: it would hold the port itself. */
export async function port(paths: HomePaths, given: string | undefined): Promise<DoctorFinding> {
  const [running] = folderProblem(paths.lease) === null ? liveLeases(paths) : []
  if (running) return ok('port', `${new URL(running.url).port}, held by the gateway`)
  const named = given === undefined ? configuredPort(paths) : Number(given)
  const wanted = named ?? rememberedPort(paths) ?? usualPort
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535)
    return bad('port', `${String(given)} is not a port`, 'Correct COUNTERSIGN_PORT.')
  if (wanted === 0) return ok('port', 'any free port')
  if (await isFree(wanted)) return ok('port', `${wanted} is free`)
  return named === undefined
    ? ok('port', `another program uses ${wanted}; the gateway takes the next free port`)
    : bad(
        'port',
        `another program uses ${wanted}`,
        `Run \`countersign up --port 0\`, set another \`port\` in ${paths.config}, or stop that program.`,
      )
}

function isKnown(key: string): boolean {
  return settingKeys.some((known) => known === key)
}

function settingsIn(path: string): Settings | undefined {
  try {
    return readSettings(path)
  } catch (error) {
    if (error instanceof CountersignError) return undefined
    throw error
  }
}

/** Undefined where the settings name none. */
export function configuredPort(paths: Pick<HomePaths, 'config'>): number | undefined {
  const value = settingsIn(paths.config)?.['port']
  return typeof value === 'number' ? value : undefined
}

export function isFree(wanted: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(wanted, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
