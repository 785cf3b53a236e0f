/** Writes a file that is there whole or not at all: whoever stops it half way finds what was there before. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

export async function writeWhole(path: string, source: AsyncIterable<string | Uint8Array>): Promise<void> {
  const part = `${path}.${process.pid}.part`
  try {
    await pipeline(source, createWriteStream(part, { mode: 0o600 }))
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
