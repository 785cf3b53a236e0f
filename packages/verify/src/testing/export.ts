/** Writes small exports for tests, by the plain definitions of the format and with none of the verifier's code. */
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'

export interface TestExport {
  readonly vkey: string
  readonly header: string
  entry(fields: Record<string, unknown>): string
  checkpoint(entries: readonly string[], changes?: { origin?: string; size?: number; root?: Buffer }): string
  /** Header, the entries, and one checkpoint at the end. */
  lines(entries: readonly string[]): string[]
}

export const origin = 'gateway.test/ledger'

/** The same fill gives the same key. */
export function testExport(fill = 1): TestExport {
  const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8, Buffer.alloc(32, fill)]),
    format: 'der',
    type: 'pkcs8',
  })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const material = Buffer.concat([Uint8Array.of(1), spki.subarray(-32)])
  const keyId = sha256(Buffer.from(`${origin}\n`), material).subarray(0, 4)
  const vkey = `${origin}+${keyId.toString('hex')}+${material.toString('base64')}`

  const made: TestExport = {
    vkey,
    header: sorted({ format: 'countersign-ledger/1', key: vkey, origin }),
    entry: (fields) =>
      sorted({
        v: 1,
        at: '2026-01-05T08:00:00.000Z',
        boot: 'boot_1',
        type: 'note.made',
        operator: 'op_1',
        actor: { kind: 'gateway', id: 'gw_1' },
        data: {},
        ...fields,
      }),
    checkpoint(entries, changes = {}) {
      const name = changes.origin ?? origin
      const root =
        changes.root ?? rootOf(entries.map((entry) => sha256(Uint8Array.of(0), Buffer.from(entry))))
      const text = `${name}\n${changes.size ?? entries.length}\n${root.toString('base64')}\n`
      const signature = Buffer.concat([keyId, sign(null, Buffer.from(text), privateKey)])
      return sorted({ checkpoint: `${text}\n— ${name} ${signature.toString('base64')}\n` })
    },
    lines: (entries) => [made.header, ...entries, made.checkpoint(entries)],
  }
  return made
}

export function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256()
  if (leaves.length === 1) return leaves[0] as Buffer
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return sha256(Uint8Array.of(1), rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}

export function sha256(...parts: readonly Uint8Array[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest()
}

export function sorted(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
