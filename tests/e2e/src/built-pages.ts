/** Owns the built pages that the gateway serves: builds them when a source is newer than what is there. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const webFolder: string = fileURLToPath(new URL('../../../packages/web', import.meta.url))
export const distFolder: string = join(webFolder, 'dist')

export default async function setup(): Promise<void> {
  if (isBuilt()) return
  const { build } = await vite()
  await build({ root: webFolder, configFile: join(webFolder, 'vite.config.ts'), logLevel: 'warn' })
}

/** Vite belongs to the web package, so it is found from there. */
export async function vite(): Promise<ViteParts> {
  return (await import(join(webFolder, 'node_modules/vite/dist/node/index.js'))) as ViteParts
}

/** What is used of Vite here. */
export interface ViteParts {
  build(options: object): Promise<unknown>
  preview(options: object): Promise<{
    readonly resolvedUrls: { readonly local: readonly string[] } | null
    close(): Promise<void>
  }>
}

function isBuilt(): boolean {
  const builtAt = timeOf(join(distFolder, 'index.html'))
  const contract = join(webFolder, '../contract/src')
  const sources = [join(webFolder, 'src'), join(webFolder, 'public'), contract]
  const single = ['index.html', 'vite.config.ts'].map((name) => timeOf(join(webFolder, name)))
  return Math.max(...single, ...sources.map(newestIn)) <= builtAt
}

function newestIn(folder: string): number {
  let newest = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      newest = Math.max(newest, timeOf(join(entry.parentPath, entry.name)))
  return newest
}

function timeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
