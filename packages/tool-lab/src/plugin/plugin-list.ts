/** Owns what the code of a plugin says that it has, and the manifest that fits it. The code of its author runs for that. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pluginFile } from '@countersign/contract'

const run = promisify(execFile)
const longestList = 2_000_000
const longestWait = 30_000

export function runnerProgram(from: string = import.meta.url): string {
  const bundled = fileURLToPath(new URL('./plugin-runner/runner.js', from))
  return existsSync(bundled)
    ? bundled
    : fileURLToPath(import.meta.resolve('@countersign/tools/plugin-runner'))
}

export interface PluginListing {
  readonly tools: readonly object[]
  readonly channel?: object
}

/** The tools and the channel, as they stand in a manifest. Rejects with what its code says. */
export async function listedParts(folder: string, main: string): Promise<PluginListing> {
  const { stdout } = await run(process.execPath, [runnerProgram(), '--list', join(folder, main)], {
    cwd: folder,
    timeout: longestWait,
    maxBuffer: longestList,
  })
  return JSON.parse(stdout) as PluginListing
}

/** Puts the tools and the channel that it has into its manifest. Says whether that changed it. */
export async function writeManifest(folder: string): Promise<boolean> {
  const path = join(folder, pluginFile)
  const before = await readFile(path, 'utf8')
  const { channel: _, ...manifest } = JSON.parse(before) as {
    readonly main?: string
    readonly channel?: object
  }
  const listing = await listedParts(folder, manifest.main ?? '')
  const after = `${JSON.stringify({ ...manifest, ...listing }, null, 2)}\n`
  if (JSON.stringify(JSON.parse(after)) === JSON.stringify(JSON.parse(before))) return false
  await writeFile(path, after)
  return true
}
