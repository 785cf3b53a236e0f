/**
 * Owns the sample folder that a first action works on, so that it never begins with somebody's own files. Refuses to
 * write through a link, and to put anything in a place that is taken.
 */
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError } from '@countersign/contract'

const root = 'Sample'

const downloads: Readonly<Record<string, string>> = {
  'boat-trip.jpg': 'A sample picture.\n',
  'harbour.png': 'Another sample picture.\n',
  'invoice-october.pdf': 'A sample invoice.\n',
  'meeting-notes.txt': 'Talk to Ana about Thursday.\n',
  'recipe.md': '# Soup\n\nA sample document.\n',
  'fonts.zip': 'A sample archive.\n',
}

/** A folder of every kind, and a card for each step where everything asks. */
export const sampleFiles = Object.keys(downloads).length
export const sampleKinds = 3

const message = `From: Ana Kovač <ana@example.com>
Subject: Thursday
Date: Mon, 9 Nov 2026 09:12:00 +0100

Hello,

could we meet on Thursday at 10:00 to go through the figures for October? Please bring the invoice.

Ana
`

/** Makes a fresh folder of downloads and gives its path in the workspace. */
export function sampleDownloads(workspace: string): string {
  const base = sampleFolder(workspace)
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? 'Downloads' : `Downloads-${count}`
    const folder = join(base, name)
    if (isThere(folder)) continue
    mkdirSync(folder, { mode: 0o700 })
    for (const [file, text] of Object.entries(downloads))
      writeFileSync(join(folder, file), text, { flag: 'wx', mode: 0o600 })
    return `${root}/${name}`
  }
}

/** Makes the message that is to be answered, unless it is there, and gives its path in the workspace. */
export function sampleMessage(workspace: string): string {
  const inbox = plainFolder(join(sampleFolder(workspace), 'Inbox'))
  const file = join(inbox, 'from-ana.txt')
  if (!isThere(file)) writeFileSync(file, message, { flag: 'wx', mode: 0o600 })
  return `${root}/Inbox/from-ana.txt`
}

function sampleFolder(workspace: string): string {
  return plainFolder(join(workspace, root))
}

function plainFolder(path: string): string {
  if (!isThere(path)) mkdirSync(path, { mode: 0o700 })
  else if (!lstatSync(path).isDirectory())
    throw new CountersignError('conflict', `${path} already exists and is not a folder.`, {
      next: 'Move it away, then choose the action again.',
    })
  return path
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
