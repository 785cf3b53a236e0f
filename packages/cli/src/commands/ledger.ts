/** `countersign ledger`: checks the ledger where it is, and writes it out to be checked elsewhere. */
import { once } from 'node:events'
import { errorCatalogue, type LedgerReport } from '@countersign/contract'
import type { Handler } from '../context.ts'
import { done, ended, failed } from '../output/answer.ts'
import { bytesWords } from '../output/bytes.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'
import { writeWhole } from '../whole-file.ts'

export const verify: Handler = async (context) => {
  const { client } = await context.gateway()
  context.working('Verifying every entry and signature of the ledger')
  const report = await client.verifyLedger()
  if (report.ok) return done({ ...report }, reportText(report))
  const { exit, next } = errorCatalogue.ledger_broken
  const message = `The ledger does not verify: ${line(report.problem ?? 'no reason was given')}.`
  return failed({ type: 'ledger_broken', message, next, exit, details: { ...report } })
}

export const exported: Handler = async (context, _args, options) => {
  const out = typeof options.out === 'string' ? options.out : undefined
  if (context.flags.json && out === undefined) {
    return usage('The export is JSON lines, not one document. Give a file with --out.', 'ledger export')
  }
  const body = await (await context.gateway()).client.exportLedger()
  const counted = counter()
  const source = counted.of(body, () =>
    context.working(`Writing the ledger: ${counted.lines()} lines, ${bytesWords(counted.bytes())}`),
  )
  if (out === undefined) {
    for await (const chunk of source)
      if (!context.host.output.write(chunk)) await once(context.host.output, 'drain')
    context.note(`${counted.lines()} lines. Check a saved export with \`countersign-verify <file>\`.`)
    return ended(0)
  }
  await writeWhole(out, source)
  const data = { out, lines: counted.lines(), bytes: counted.bytes() }
  return done(
    data,
    `Wrote ${data.lines} lines to ${line(out)}. Check it with \`countersign-verify ${line(out)}\`.`,
  )
}

function reportText(report: LedgerReport): string {
  return columns([
    ['Ledger', 'verified'],
    ['Entries', String(report.size)],
    [
      'Signed up to',
      `${report.signed}, in ${report.checkpoints} ${report.checkpoints === 1 ? 'checkpoint' : 'checkpoints'}`,
    ],
    ['Root', line(report.root)],
    ['Key', line(report.key)],
  ])
}

function counter() {
  let lines = 0
  let bytes = 0
  return {
    lines: () => lines,
    bytes: () => bytes,
    async *of(body: ReadableStream<Uint8Array> | null, onChunk: () => void): AsyncGenerator<Uint8Array> {
      if (body === null) return
      for await (const chunk of body) {
        bytes += chunk.length
        for (const byte of chunk) if (byte === 0x0a) lines += 1
        onChunk()
        yield chunk
      }
    },
  }
}
