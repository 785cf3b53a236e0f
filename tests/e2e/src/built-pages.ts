/** Owns the built pages that the gateway serves: builds them when a source is newer than what is there. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
// Not by its index: this is loaded where an installation cannot be.
import { newestIn, timeOf } from '../../harness/src/file-times.ts'

export const webFolder: string = fileURLToPath(new URL('../../../packages/web', import.meta.url))
export const distFolder: string = join(webFolder, 'dist')

export default async function setup(): Promise<void> {
  if (isBuilt()) return
  const vite = join(webFolder, 'node_modules/vite/bin/vite.js')
  // A process of its own: in that of the tests React would be built for development.
  await promisify(execFile)(process.execPath, [vite, 'build', webFolder], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
  })
}

function isBuilt(): boolean {
  const builtAt = timeOf(join(distFolder, 'index.html'))
  const contract = join(webFolder, '../contract/src')
  const sources = [join(webFolder, 'src'), join(webFolder, 'public'), contract]
  const single = ['index.html', 'vite.config.ts'].map((name) => timeOf(join(webFolder, name)))
  return Math.max(...single, ...sources.map(newestIn)) <= builtAt
}
