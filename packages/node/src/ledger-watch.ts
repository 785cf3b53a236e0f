/**
 * Owns what this node saw of the ledger. It keeps the newest checkpoint, takes a newer one only with the proof that
 * nothing before it changed, and complains about any other. A complaint stays until the node is paired again.
 */
import { existsSync, readFileSync } from 'node:fs'
import {
  cosign,
  ledgerOrigin,
  type SeenHead,
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
  | LedgerComplaint

export interface LedgerComplaint {
  readonly type: 'complaint'
  readonly size: number
  readonly reason: string
  /** The checkpoint that was seen before, as the gateway signed it. */
  readonly seen?: string
}

export interface LedgerWatch {
  /** The size that it saw last; 0 before the first. */
  size(): number
  /** When that was; undefined before the first. */
  at(): string | undefined
  complaint(): LedgerComplaint | null
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
  seen: z.string().exactOptional(),
})

const longestReason = 1_000
const unreadable: LedgerComplaint = {
  type: 'complaint',
  size: 0,
  reason: 'what this node saw of the ledger cannot be read',
}

export function openLedgerWatch(
  paths: Pick<NodePaths, 'witness' | 'complaint' | 'trust'>,
  parts: { readonly pairing: Pick<Pairing, 'node'>; readonly keys: KeyPair; readonly now: () => Date },
): LedgerWatch {
  const { pairing, keys, now } = parts

  function complained(): LedgerComplaint | null {
    if (!existsSync(paths.complaint)) return seen() === 'damaged' ? unreadable : null
    const read = readAs(paths.complaint, Complaint)
    if (!read) return unreadable
    return {
      type: 'complaint',
      size: read.size,
      reason: read.reason,
      ...(read.seen === undefined ? {} : { seen: read.seen }),
    }
  }

  function seen(): z.infer<typeof Seen> | undefined | 'damaged' {
    return existsSync(paths.witness) ? (readAs(paths.witness, Seen) ?? 'damaged') : undefined
  }

  function complain(
    step: { readonly size: number; readonly reason: string },
    shown: ShownHead,
    head: SeenHead | undefined,
  ): LedgerComplaint {
    const found: LedgerComplaint = {
      type: 'complaint',
      size: step.size,
      reason: step.reason.slice(0, longestReason),
      ...(head ? { seen: head.note } : {}),
    }
    const { type: _, ...kept } = found
    replaceFile(
      paths.complaint,
      `${JSON.stringify({ v: 1, at: now().toISOString(), note: shown.note, ...kept })}\n`,
    )
    return found
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
    complaint: complained,
    async see(shown) {
      // The first one is what somebody has to look into.
      const earlier = complained()
      if (earlier) return earlier
      const last = seen()
      if (last === 'damaged') return unreadable
      const trust = readTrust(paths.trust)
      const name = ledgerOrigin(trust.gateway.id, trust.operator)
      const key = await vkeyFor({ name, raw: trust.gateway.key, signs: 'checkpoints' }, nodeWitnessMeans)
      const step = await witnessStep(last?.head, shown, key, nodeWitnessMeans)
      if (step.kind === 'complaint') return complain(step, shown, last?.head)
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
