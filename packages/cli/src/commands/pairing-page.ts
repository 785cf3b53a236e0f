/**
 * Owns the file that leads a browser to an address with a secret. What a program is started with can be read by every
 * user of the host; this file only by its owner. Refuses a folder that somebody else could have prepared.
 */
import { randomUUID } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface PairingPage {
  readonly path: string
  remove(): void
}

/** Undefined where the folder is a link, not ours, or cannot be written. */
export function writePairingPage(folder: string, address: string): PairingPage | undefined {
  try {
    return pageIn(folder, address)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return undefined
    throw error
  }
}

function pageIn(folder: string, address: string): PairingPage | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  const own = process.getuid?.()
  if (!found.isDirectory() || (own !== undefined && found.uid !== own)) return undefined
  chmodSync(folder, 0o700)
  const path = join(folder, `open-${randomUUID()}.html`)
  writeFileSync(path, pageText(address), { mode: 0o600, flag: 'wx' })
  return { path, remove: () => rmSync(path, { force: true }) }
}

function pageText(address: string): string {
  const target = JSON.stringify(address).replaceAll('<', String.raw`\u003c`)
  return [
    '<!doctype html>',
    '<meta charset="utf-8">',
    '<meta name="referrer" content="no-referrer">',
    '<title>Countersign</title>',
    `<script>location.replace(${target})</script>`,
    '',
  ].join('\n')
}
