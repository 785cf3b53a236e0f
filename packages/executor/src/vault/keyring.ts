/**
 * Keeps the private key of the vault in the keyring of the operating system. On Linux only the Secret Service counts:
 * the kernel's own keyring forgets everything when the host restarts.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CountersignError } from '@countersign/contract'
import { type ProbedStore, unreachable } from './identity.ts'

export interface KeyringOptions {
  /** Sets this home apart from others under the same account, as the gateway's id does. */
  readonly account: string
  /** How long a keyring may take, which may be asking its owner for a password. */
  readonly patienceMs?: number
}

const service = 'countersign'

export function keyringIdentity({ account, patienceMs = 20_000 }: KeyringOptions): ProbedStore {
  /** Loaded late: it is a native module, and a host without a keyring never needs it. */
  async function entry(name: string) {
    const { AsyncEntry } = await import('@napi-rs/keyring')
    return new AsyncEntry(service, name, { linux: { store: 'secret-service' } })
  }

  async function within<T>(work: Promise<T>): Promise<T> {
    const stop = new AbortController()
    const late = sleep(patienceMs, undefined, { signal: stop.signal, ref: false }).then(() => {
      throw new Error(`it did not answer within ${patienceMs / 1000} seconds`)
    })
    // Ended with the work; nobody waits for it then.
    late.catch(() => undefined)
    try {
      return await Promise.race([work, late])
    } finally {
      stop.abort()
    }
  }

  async function reach<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await within(work())
    } catch (cause) {
      throw unreachable(wordsOf(cause), cause)
    }
  }

  const read = () => reach(async () => (await entry(account)).getPassword())

  return {
    name: 'keyring',
    read,
    async write(identity) {
      const kept = await read()
      if (kept !== null && kept !== identity) {
        throw new CountersignError('conflict', `The keyring holds another key for ${account}.`, {
          next: `Remove the entry ${service}/${account} if nothing is sealed for it any more.`,
        })
      }
      await reach(async () => (await entry(account)).setPassword(identity))
    },
    async probe() {
      const trial = randomBytes(16).toString('hex')
      try {
        return await within(
          entry(`${account}/probe-${trial}`).then(async (probe) => {
            await probe.setPassword(trial)
            const same = (await probe.getPassword()) === trial
            await probe.deleteCredential()
            return same ? null : 'it does not give back what was put in'
          }),
        )
      } catch (error) {
        return wordsOf(error)
      }
    },
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
