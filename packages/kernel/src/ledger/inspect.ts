/** Owns reading the ledger back: a check of every entry against every checkpoint, and the export for others to check. */
import type { LedgerReport, OperatorId } from '@countersign/contract'
import { appendLeaf, emptyFrontier, frontierRoot, leafHash } from '@countersign/contract/node'
import type { Store } from '../store/store.ts'
import { verifyCheckpoint } from './checkpoint.ts'

export interface LedgerReader {
  verify(operator: OperatorId): Promise<LedgerReport>
  /** Lines of the export, without line ends: a header, every entry verbatim, every checkpoint in its place. */
  export(operator: OperatorId): AsyncIterable<string>
}

const batch = 2_000

export function createReader(options: {
  store: Store
  originOf: (operator: OperatorId) => string
  vkeyOf: (operator: OperatorId) => string
}): LedgerReader {
  async function* entriesOf(operator: OperatorId) {
    for (let after = 0; ; ) {
      const rows = await options.store.single(operator, (db) =>
        db
          .selectFrom('ledger_entries')
          .select(['seq', 'body', 'leaf'])
          .where('seq', '>', after)
          .orderBy('seq')
          .limit(batch)
          .execute(),
      )
      yield* rows
      const last = rows.at(-1)
      if (!last || rows.length < batch) return
      after = last.seq
    }
  }

  const checkpointsOf = (operator: OperatorId) =>
    options.store.single(operator, (db) =>
      db.selectFrom('checkpoints').select(['size', 'note']).orderBy('size').execute(),
    )

  /** The lines of those who saw a size, which stand below the gateway's own. */
  async function cosignaturesOf(operator: OperatorId): Promise<ReadonlyMap<number, string[]>> {
    const rows = await options.store.single(operator, (db) =>
      db.selectFrom('ledger_witnesses').select(['size', 'cosignature']).orderBy('witness').execute(),
    )
    const bySize = new Map<number, string[]>()
    for (const { size, cosignature } of rows) bySize.set(size, [...(bySize.get(size) ?? []), cosignature])
    return bySize
  }

  async function verify(operator: OperatorId): Promise<LedgerReport> {
    const key = options.vkeyOf(operator)
    const checkpoints = await checkpointsOf(operator)
    let next = 0
    let frontier = emptyFrontier()
    let problem: string | null = null
    for await (const row of entriesOf(operator)) {
      if (row.seq !== frontier.size + 1) problem ??= `Entry ${frontier.size + 1} is missing.`
      const leaf = Buffer.from(leafHash(Buffer.from(row.body)))
      if (!leaf.equals(row.leaf)) problem ??= `Entry ${row.seq} does not match its hash.`
      frontier = appendLeaf(frontier, leaf)
      for (; checkpoints[next]?.size === frontier.size; next += 1) {
        const verdict = verifyCheckpoint(checkpoints[next]?.note ?? '', key)
        if (verdict.kind !== 'verified')
          problem ??= `The checkpoint at ${frontier.size} is not signed by this gateway.`
        else if (!Buffer.from(verdict.checkpoint.root).equals(Buffer.from(frontierRoot(frontier))))
          problem ??= `The checkpoint at ${frontier.size} does not match the entries before it.`
      }
      if (problem) break
    }
    if (!problem && next < checkpoints.length) problem = 'A checkpoint covers entries that are missing.'
    return {
      ok: problem === null,
      size: frontier.size,
      signed: checkpoints.at(-1)?.size ?? 0,
      root: Buffer.from(frontierRoot(frontier)).toString('base64'),
      checkpoints: checkpoints.length,
      key,
      problem,
    }
  }

  async function* exportLines(operator: OperatorId): AsyncIterable<string> {
    yield JSON.stringify({
      format: 'countersign-ledger/1',
      key: options.vkeyOf(operator),
      origin: options.originOf(operator),
    })
    const checkpoints = await checkpointsOf(operator)
    const cosignatures = await cosignaturesOf(operator)
    let next = 0
    for await (const row of entriesOf(operator)) {
      yield row.body
      for (; checkpoints[next]?.size === row.seq; next += 1)
        yield JSON.stringify({
          checkpoint: `${checkpoints[next]?.note}${cosignatures.get(row.seq)?.join('') ?? ''}`,
        })
    }
  }

  return { verify, export: exportLines }
}
