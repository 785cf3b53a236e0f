/**
 * Owns the file that leads a browser to an address with a secret. What a program is started with can be read by every
 * user of the host; this file only by its owner. Refuses a folder that somebody else could have prepared.
 */
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderProblem } from '@countersign/contract/node'

export interface AddressPage {
  readonly path: string
  remove(): void
}

/** Undefined where the folder is not ours alone, or cannot be written. */
export function writeAddressPage(folder: string, address: string): AddressPage | undefined {
  try {
    return pageIn(folder, address)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return undefined
    throw error
  }
}

function pageIn(folder: string, address: string): AddressPage | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (folderProblem(folder) !== null) return undefined
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
