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

/** The tools, as they stand in a manifest. Rejects with what its code says. */
export async function listedTools(folder: string, main: string): Promise<readonly object[]> {
  const { stdout } = await run(process.execPath, [runnerProgram(), '--list', join(folder, main)], {
    cwd: folder,
    timeout: longestWait,
    maxBuffer: longestList,
  })
  return JSON.parse(stdout) as object[]
}

/** Puts the tools that it has into its manifest. Says whether that changed it. */
export async function writeManifest(folder: string): Promise<boolean> {
  const path = join(folder, pluginFile)
  const before = await readFile(path, 'utf8')
  const manifest = JSON.parse(before) as { readonly main?: string }
  const tools = await listedTools(folder, manifest.main ?? '')
  const after = `${JSON.stringify({ ...manifest, tools }, null, 2)}\n`
  if (JSON.stringify(JSON.parse(after)) === JSON.stringify(JSON.parse(before))) return false
  await writeFile(path, after)
  return true
}
