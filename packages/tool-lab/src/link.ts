/**
 * Lets the folder of a new tool find the product that made it, without an installation: a small package in its
 * `node_modules` that leads there. Does nothing where the product is found anyway.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { entryUrls } from './entry.ts'

export function linkProduct(folder: string): 'linked' | 'found' {
  if (isFound(folder)) return 'found'
  const link = join(folder, 'node_modules', 'countersign')
  mkdirSync(link, { recursive: true })
  const exports: Record<string, Record<string, string>> = {}
  for (const [specifier, url] of Object.entries(entryUrls())) {
    const name = specifier.split('/')[1] ?? ''
    const path = fileURLToPath(url)
    const hasTypes = path.endsWith('.js') && existsSync(path.replace(/js$/, 'd.ts'))
    writeFileSync(join(link, `${name}.js`), `export * from ${JSON.stringify(url)}\n`)
    if (hasTypes) writeFileSync(join(link, `${name}.d.ts`), `export * from ${JSON.stringify(path)}\n`)
    exports[`./${name}`] = { ...(hasTypes ? { types: `./${name}.d.ts` } : {}), default: `./${name}.js` }
  }
  const manifest = { name: 'countersign', version: '0.0.0', private: true, type: 'module', exports }
  writeFileSync(join(link, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return 'linked'
}

function isFound(folder: string): boolean {
  try {
    createRequire(join(folder, 'tool.js')).resolve('countersign/tools')
    return true
  } catch {
    return false
  }
}
