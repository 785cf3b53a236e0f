/** Writes a file that is there whole or not at all: whoever stops it half way finds what was there before. */
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

export async function writeWhole(path: string, source: AsyncIterable<string | Uint8Array>): Promise<void> {
  const part = `${path}.${process.pid}.part`
  // Opened before anything is read: a file that is still being opened would be made after it was removed.
  const file = await open(part, 'w', 0o600)
  try {
    await pipeline(source, file.createWriteStream())
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
