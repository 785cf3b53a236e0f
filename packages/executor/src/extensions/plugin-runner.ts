/** Owns where the program is that loads plugins, and what of the product it needs in the sandbox: itself, the schema language, and what channels are made of. */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SandboxMount } from '../sandbox/port.ts'

const runnerFolder = '/opt/plugin'
/** The runner looks for these here. */
const schemaFolder = '/opt/plugin-schema'
const channelsFolder = '/opt/plugin-channels'

export function pluginRunner(from: string = import.meta.url): {
  readonly program: string
  readonly mounts: readonly SandboxMount[]
} {
  const bundled = fileURLToPath(new URL('./plugin-runner', from))
  if (existsSync(join(bundled, 'runner.js')))
    return {
      program: `${runnerFolder}/runner.js`,
      mounts: [{ from: realpathSync(bundled), at: runnerFolder }],
    }
  const sources = dirname(fileURLToPath(import.meta.resolve('@countersign/tools/plugin-runner')))
  const schema = dirname(fileURLToPath(import.meta.resolve('zod')))
  const channels = dirname(fileURLToPath(import.meta.resolve('@countersign/channels/plugin-api')))
  return {
    program: `${runnerFolder}/runner.ts`,
    mounts: [
      { from: realpathSync(sources), at: runnerFolder },
      { from: realpathSync(schema), at: schemaFolder },
      { from: realpathSync(channels), at: `${channelsFolder}/plugin` },
      { from: realpathSync(join(channels, '..', 'frame')), at: `${channelsFolder}/frame` },
    ],
  }
}
