/**
 * Owns the parts of a file on their way into the workspace: one file for each upload in a folder that no tool reaches,
 * named by what its content will hash to. Putting it into the workspace is a call like any other; nothing is done here.
 */
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CountersignError, largestUpload, largestUploadPart } from '@countersign/contract'

export interface UploadStore {
  /** How many bytes are here then. A part at 0 begins anew; any other follows what is here. */
  add(sha256: string, offset: number, bytes: Uint8Array): Promise<number>
}

/** An upload that nothing became of, such as one that waits for an approval, is kept so long. */
const keptMs = 24 * 60 * 60_000
const mostBytes = 8 * largestUpload
const mostFiles = 200

export function createUploadStore(options: {
  /** The folder of the executor, which reads them. */
  readonly beside: string
  readonly clock: () => Date
}): UploadStore {
  const folder = () => join(options.beside, 'uploads')

  /** With so much more of one of them. */
  async function tidy(more: number): Promise<void> {
    await mkdir(folder(), { recursive: true, mode: 0o700 })
    const names = await readdir(folder())
    let kept = more
    for (const name of names) {
      const path = join(folder(), name)
      const found = await stat(path).catch(() => undefined)
      if (found && options.clock().getTime() - found.mtimeMs > keptMs) await rm(path, { force: true })
      else kept += found?.size ?? 0
    }
    if (kept > mostBytes || names.length > mostFiles)
      throw new CountersignError('conflict', 'Too many uploads wait to be put into the workspace.', {
        next: 'Decide about those that wait for your approval, or try again tomorrow.',
      })
  }

  return {
    async add(sha256, offset, bytes) {
      if (bytes.length > largestUploadPart)
        throw new CountersignError('usage', `A part may have at most ${largestUploadPart} bytes.`)
      if (offset + bytes.length > largestUpload)
        throw new CountersignError('usage', `A file may have at most ${largestUpload} bytes.`)
      await tidy(bytes.length)
      const handle = await open(join(folder(), sha256), offset === 0 ? 'w' : 'r+', 0o600).catch(() => null)
      if (handle === null) throw gone()
      try {
        if ((await handle.stat()).size !== offset) throw gone()
        await handle.write(bytes, 0, bytes.length, offset)
        return offset + bytes.length
      } finally {
        await handle.close()
      }
    },
  }
}

function gone(): CountersignError {
  return new CountersignError('conflict', 'A part of the file is missing.', {
    next: 'Upload the file again.',
  })
}
