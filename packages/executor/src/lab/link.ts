/**
 * Lets the folder of a new tool find the product that made it, without an installation: a small package in its
 * `node_modules` that leads there. Does nothing where the product is found anyway.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { entryUrls } from './entry.ts'

export function linkProduct(folder: string): 'linked' | 'found' {
  if (isFound(folder)) return 'found'
  const link = join(folder, 'node_modules', 'countersign')
  mkdirSync(link, { recursive: true })
  const manifest = {
    name: 'countersign',
    version: '0.0.0',
    private: true,
    type: 'module',
    exports: { './tools': './tools.js', './bench': './bench.js' },
  }
  writeFileSync(join(link, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const [name, url] of Object.entries(entryUrls()))
    writeFileSync(join(link, `${name.split('/')[1]}.js`), `export * from ${JSON.stringify(url)}\n`)
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
