/**
 * Owns how far the sending of an e-mail came, on disk, before each step is made: so that after a crash it can be said
 * whether the e-mail left, and what left is filed once. Keeps the e-mail itself only until it is filed.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile, sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'

const Step = z.strictObject({
  /** `sending` from before the server is called until it has answered: in between nobody knows. */
  phase: z.enum(['prepared', 'sending', 'refused', 'sent', 'filed']),
  refused: z.array(z.string()),
})
export type OutboxStep = z.infer<typeof Step>

export interface OutboxEntry {
  readonly messageId: string
  /** Nothing was ever prepared where it is undefined. */
  step(): OutboxStep | undefined
  raw(): Buffer | undefined
  prepare(raw: Uint8Array): void
  mark(step: OutboxStep): void
}

export interface Outbox {
  /** The same permit has the same entry, and the same Message-ID. */
  entry(nonce: string, domain: string): OutboxEntry
}

/** Longer than a permit is remembered. */
const keptMs = 7 * 24 * 60 * 60_000

export function createOutbox(folder: string, now: () => Date): Outbox {
  const prune = (): void => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (now().getTime() - statSync(path).mtimeMs > keptMs) rmSync(path, { force: true })
    }
  }
  return {
    entry(nonce, domain) {
      const key = sha256Hex(`e-mail of ${nonce}`).slice(0, 40)
      const state = join(folder, `${key}.json`)
      const mail = join(folder, `${key}.eml`)
      return {
        messageId: `<${key}@${domain}>`,
        step() {
          const text = textOf(state)
          return text === undefined ? undefined : Step.parse(JSON.parse(text.toString('utf8')))
        },
        raw() {
          const text = textOf(mail)
          return text && Buffer.from(text.toString('ascii'), 'base64')
        },
        prepare(raw) {
          mkdirSync(folder, { recursive: true, mode: 0o700 })
          prune()
          replaceFile(mail, Buffer.from(raw).toString('base64'))
          replaceFile(state, JSON.stringify({ phase: 'prepared', refused: [] } satisfies OutboxStep))
        },
        mark(step) {
          replaceFile(state, JSON.stringify(step))
          if (step.phase === 'filed' || step.phase === 'refused') rmSync(mail, { force: true })
        },
      }
    },
  }
}

function textOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
