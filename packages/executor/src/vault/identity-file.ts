/** Keeps the private key of the vault in a file of its owner. Refuses one that others can read. */
import { readFileSync, statSync } from 'node:fs'
import { CountersignError } from '@countersign/contract'
import { writeNew } from '@countersign/contract/node'
import type { IdentityStore } from './identity.ts'

export function fileIdentity(path: string): IdentityStore {
  const read = (): string | null => {
    let mode: number
    try {
      mode = statSync(path).mode
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
    if ((mode & 0o077) !== 0 && process.platform !== 'win32') {
      throw new CountersignError('config_invalid', `The key ${path} can be read by others.`, {
        next: `Run \`chmod 600 ${path}\`. If others use this host, rotate every secret.`,
      })
    }
    return readFileSync(path, 'utf8').trim()
  }
  return {
    name: 'file',
    read: async () => read(),
    async write(identity) {
      if (writeNew(path, `${identity}\n`) || read() === identity) return
      throw new CountersignError('conflict', `The file ${path} holds another key.`, {
        next: 'Move it away if nothing is sealed for it any more.',
      })
    },
  }
}
