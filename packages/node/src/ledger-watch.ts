/**
 * Owns what this node saw of the ledger. It keeps the newest checkpoint, takes a newer one only with the proof that
 * nothing before it changed, and complains about any other. A complaint stays until the node is paired again.
 */
import { existsSync, readFileSync } from 'node:fs'
import {
  cosign,
  ledgerOrigin,
  type ShownHead,
  vkeyFor,
  witnessName,
  witnessStep,
} from '@countersign/contract'
import { type KeyPair, nodeWitnessMeans, readTrust, replaceFile, signText } from '@countersign/contract/node'
import { z } from 'zod'
import type { NodePaths, Pairing } from './node-home.ts'

export type LedgerSight =
  | { readonly type: 'witnessed'; readonly size: number; readonly cosignature: string }
  | { readonly type: 'complaint'; readonly size: number; readonly reason: string }

export interface LedgerWatch {
  /** The size that it saw last; 0 before the first. */
  size(): number
  /** When that was; undefined before the first. */
  at(): string | undefined
  complaint(): string | null
  /** Kept on the disk before it is told. */
  see(shown: ShownHead): Promise<LedgerSight>
}

const Seen = z.strictObject({
  v: z.literal(1),
  at: z.string(),
  head: z.strictObject({ origin: z.string(), size: z.int().min(0), root: z.string(), note: z.string() }),
})
const Complaint = z.strictObject({
  v: z.literal(1),
  at: z.string(),
  size: z.int().min(0),
  reason: z.string(),
  /** What was shown, for whoever looks into it. */
  note: z.string(),
})

const longestReason = 1_000
const damaged = 'what this node saw of the ledger cannot be read'

export function openLedgerWatch(
  paths: Pick<NodePaths, 'witness' | 'complaint' | 'trust'>,
  parts: { readonly pairing: Pick<Pairing, 'node'>; readonly keys: KeyPair; readonly now: () => Date },
): LedgerWatch {
  const { pairing, keys, now } = parts

  function complained(): z.infer<typeof Complaint> | null {
    if (!existsSync(paths.complaint)) return null
    const read = readAs(paths.complaint, Complaint)
    return read ?? { v: 1, at: '', size: 0, reason: damaged, note: '' }
  }

  function seen(): z.infer<typeof Seen> | undefined | 'damaged' {
    return existsSync(paths.witness) ? (readAs(paths.witness, Seen) ?? 'damaged') : undefined
  }

  function complain(size: number, reason: string, note: string): LedgerSight {
    const entry = { v: 1, at: now().toISOString(), size, reason: reason.slice(0, longestReason), note }
    // The first one is what somebody has to look into.
    if (!existsSync(paths.complaint)) replaceFile(paths.complaint, `${JSON.stringify(entry)}\n`)
    return { type: 'complaint', size, reason: entry.reason }
  }

  return {
    size() {
      const last = seen()
      return last === undefined || last === 'damaged' ? 0 : last.head.size
    },
    at() {
      const last = seen()
      return last === undefined || last === 'damaged' ? undefined : last.at
    },
    complaint() {
      return seen() === 'damaged' ? damaged : (complained()?.reason ?? null)
    },
    async see(shown) {
      const earlier = complained()
      if (earlier) return { type: 'complaint', size: earlier.size, reason: earlier.reason }
      const last = seen()
      if (last === 'damaged') return complain(0, damaged, shown.note)
      const trust = readTrust(paths.trust)
      const name = ledgerOrigin(trust.gateway.id, trust.operator)
      const key = await vkeyFor({ name, raw: trust.gateway.key, signs: 'checkpoints' }, nodeWitnessMeans)
      const step = await witnessStep(last?.head, shown, key, nodeWitnessMeans)
      if (step.kind === 'complaint') return complain(step.size, step.reason, shown.note)
      const at = now()
      replaceFile(paths.witness, `${JSON.stringify({ v: 1, at: at.toISOString(), head: step.seen })}\n`)
      const cosignature = await cosign(step.seen, cosigner(trust.gateway.id, at), nodeWitnessMeans)
      return { type: 'witnessed', size: step.seen.size, cosignature }
    },
  }

  function cosigner(gateway: string, at: Date) {
    return {
      name: witnessName(gateway, pairing.node),
      raw: keys.publicKey,
      at,
      sign: (text: string) => signText(keys.privateKey, text),
    }
  }
}

function readAs<T>(path: string, shape: z.ZodType<T>): T | undefined {
  try {
    return shape.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
