/** Owns what a browser must load before it shows anything: the scripts that the start page names. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

export interface ScriptFile {
  readonly name: string
  readonly gzipBytes: number
}

export function firstScripts(distFolder: string): readonly ScriptFile[] {
  const page = readFileSync(join(distFolder, 'index.html'), 'utf8')
  const named = [
    ...page.matchAll(/<script[^>]*\ssrc="([^"]+)"/g),
    ...page.matchAll(/<link[^>]*rel="modulepreload"[^>]*href="([^"]+)"/g),
  ].map(([, path = '']) => path)
  return [...new Set(named)].map((name) => ({
    name,
    gzipBytes: gzipSync(readFileSync(join(distFolder, name)), { level: 9 }).byteLength,
  }))
}
