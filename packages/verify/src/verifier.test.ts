import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeReport } from './report.ts'
import { testExport } from './testing/export.ts'
import { parseWitness, soundParts, verifyLedger, type Witness } from './verifier.ts'

const made = testExport()
const entries = [1, 2, 3, 4, 5].map((seq) => made.entry({ seq, data: { step: seq } }))
const lines = made.lines(entries)

test('verifies an export and says what it rests on', async () => {
  const report = await verifyLedger(lines)
  expect(report).toMatchObject({
    ok: true,
    entries: 5,
    checkpoints: 1,
    signedThrough: 5,
    unsigned: 0,
    keySource: 'self-declared',
    failures: [],
  })
  expect(report.limits.map((limit) => limit.code)).toEqual([
    'key-self-declared',
    'tail-truncation',
    'rewrite-by-key-holder',
    'unrecorded',
  ])
})

test('verifies with the key pinned and no longer lists another key as undetectable', async () => {
  const report = await verifyLedger(lines, { key: made.vkey })
  expect(report).toMatchObject({ ok: true, keySource: 'pinned' })
  expect(report.limits.map((limit) => limit.code)).not.toContain('key-self-declared')
})

test('refuses an export under another key than the pinned one', async () => {
  const other = testExport(2)
  expect((await verifyLedger(other.lines(entries))).ok).toBe(true)
  expect(await codes(other.lines(entries), { key: made.vkey })).toEqual(['key-differs'])
  expect(await codes([made.header, ...other.lines(entries).slice(1)])).toEqual(['checkpoint-unsigned'])
})

test('takes checkpoints between entries and refuses one that stands too early, too late or goes back', async () => {
  const early = made.checkpoint(entries.slice(0, 2))
  const last = lines.at(-1) as string
  const [one, two, three] = entries as [string, string, string]
  const rest = entries.slice(2)
  expect(await codes([made.header, one, two, early, early, ...rest, last])).toEqual([])
  expect(await codes([made.header, one, early, two, ...rest, last])).toEqual(['checkpoint-size'])
  expect(await codes([made.header, one, two, three, early])).toEqual(['checkpoint-size'])
  expect(await codes([...lines, early])).toEqual(['checkpoint-backwards'])
})

test('verifies the empty ledger when its checkpoint is there', async () => {
  expect(await codes(made.lines([]))).toEqual([])
  expect(await codes([made.header])).toEqual(['checkpoint-none'])
  expect(await codes([])).toEqual(['header-missing'])
})

test('refuses a changed, missing, repeated or misplaced entry', async () => {
  const [one, two, three, four, five] = entries as [string, string, string, string, string]
  const last = lines.at(-1) as string
  const changed = made.entry({ seq: 3, data: { step: 9 } })
  expect(await codes([made.header, one, two, changed, four, five, last])).toEqual(['checkpoint-root'])
  expect(await codes([made.header, one, two, four, five, last])).toEqual(['entry-number'])
  expect(await codes([made.header, one, two, two, three, four, five, last])).toEqual(['entry-number'])
  expect(await codes([made.header, two, one, three, four, five, last])).toEqual(['entry-number'])
  expect(await codes([made.header, one, two, three, four, last])).toEqual(['checkpoint-size'])
})

test('refuses a file without a header, with two, or whose key is not named after the origin', async () => {
  const renamed = made.header.replace('"origin":"gateway.test/ledger"', '"origin":"other.test/ledger"')
  const damaged = made.header.replace(made.vkey, made.vkey.slice(0, -4))
  expect(await codes(lines.slice(1))).toEqual(['header-missing'])
  expect(await codes([...lines, made.header])).toEqual(['header-repeated'])
  expect(await codes([renamed, ...lines.slice(1)])).toEqual(['key-name'])
  expect(await codes([damaged, ...lines.slice(1)])).toEqual(['key-form'])
})

test('refuses a signed checkpoint with another origin, size or root', async () => {
  const without = lines.slice(0, -1)
  const zeros = made.checkpoint(entries, { root: Buffer.alloc(32) })
  const elsewhere = made.checkpoint(entries, { origin: 'other.test/ledger' })
  expect(await codes([...without, zeros])).toEqual(['checkpoint-root'])
  expect(await codes([...without, made.checkpoint(entries, { size: 6 })])).toEqual(['checkpoint-size'])
  expect(await codes([...without, elsewhere])).toEqual(['checkpoint-origin'])
})

test('refuses a checkpoint whose signature was changed, spelled in a second way, repeated or left out', async () => {
  const without = lines.slice(0, -1)
  const last = lines.at(-1) as string
  const signature = /— \S+ (\S+)\\n"/.exec(last)?.[1] as string
  const bytes = Buffer.from(signature, 'base64')
  bytes[40] = (bytes[40] as number) ^ 1
  const respelled = signature.replace(/.=$/, (end) => `${nextLetter(end[0] as string)}=`)
  expect(Buffer.from(respelled, 'base64')).toEqual(Buffer.from(signature, 'base64'))
  const line = `— gateway.test/ledger ${signature}\\n`
  expect(await codes([...without, last.replace(signature, bytes.toString('base64'))])).toEqual([
    'checkpoint-signature',
  ])
  expect(await codes([...without, last.replace(signature, respelled)])).toEqual(['checkpoint-form'])
  expect(await codes([...without, last.replace(line, line + line)])).toEqual(['checkpoint-unsigned'])
  expect(await codes([...without, last.replace(line, '')])).toEqual(['checkpoint-unsigned'])
})

test('accepts a cosignature by another key and says that it was not checked', async () => {
  const cosignature = `— witness.test ${Buffer.alloc(76, 3).toString('base64')}\\n`
  const last = (lines.at(-1) as string).replace(/"}$/, `${cosignature}"}`)
  const report = await verifyLedger([...lines.slice(0, -1), last])
  expect(report.ok).toBe(true)
  expect(report.limits.map((limit) => limit.code)).toContain('cosignatures-unchecked')
})

test('reports entries after the last checkpoint as unsigned, and refuses them when strict', async () => {
  const tail = [...lines, made.entry({ seq: 6 })]
  const report = await verifyLedger(tail)
  expect(report).toMatchObject({ ok: true, signedThrough: 5, unsigned: 1 })
  expect(report.limits.map((limit) => limit.code)).toContain('unsigned-tail')
  expect(await codes(tail, { strict: true })).toEqual(['tail-unsigned'])
  expect(await codes(lines, { strict: true })).toEqual([])
})

test('agrees with a witness of the head and of an earlier size', async () => {
  const report = await verifyLedger(lines, { witnesses: [await headOf(3), await headOf(5), await headOf(0)] })
  expect(report).toMatchObject({ ok: true, witnesses: { given: 3, agreed: 3 } })
})

test('detects with a witness a cut tail and a rewritten history that verify without one', async () => {
  const witness = await headOf(5)
  const cut = made.lines(entries.slice(0, 4))
  const rewritten = made.lines(entries.with(1, made.entry({ seq: 2, data: { step: 'other' } })))
  expect(await codes(cut)).toEqual([])
  expect(await codes(cut, { witnesses: [witness] })).toEqual(['witness-beyond'])
  expect(await codes(rewritten)).toEqual([])
  expect(await codes(rewritten, { witnesses: [witness] })).toEqual(['witness-root'])
})

test('names the entry, the line and the next step of a failure', async () => {
  const report = await verifyLedger(lines.toSpliced(3, 1))
  const text = describeReport(report)
  expect(text).toContain('Ledger NOT verified: gateway.test/ledger')
  expect(text).toContain('entry 3 (line 4): entry 3 must stand here, but it says 4 [entry-number]')
  expect(text).toContain('Next: Export the ledger again')
})

test('never prints what a ledger text could do to a terminal', async () => {
  const nasty = '\u001b[2J\u202e\u009b'
  const intent = made.entry({
    seq: 1,
    type: 'effect.intended',
    call: 'call_1',
    data: { tier: 2, nonce: 'n', key: 'k', effect: 'once', approval: nasty },
  })
  const text = describeReport(await verifyLedger(made.lines([intent])))
  expect(text).toContain('\\u001b[2J\\u202e\\u009b')
  expect(text).not.toContain('\u001b')
})

test('passes changed ledgers once the root or the signature is not compared, so both comparisons carry weight', async () => {
  const changed = lines.with(3, made.entry({ seq: 3, data: { step: 9 } }))
  const noRoot = { ...soundParts, sameRoot: () => true }
  const noSignature = { ...soundParts, signatureHolds: () => true }
  expect((await verifyLedger(changed, {}, noRoot)).ok).toBe(true)
  expect((await verifyLedger(changed, {}, noSignature)).ok).toBe(false)
  const resized = made.checkpoint(entries).replace(/\\n\\n— \S+ .{12}/, (start) => start.replace(/.$/, 'x'))
  expect((await verifyLedger([...lines.slice(0, -1), resized], {}, noRoot)).ok).toBe(false)
  expect((await verifyLedger([...lines.slice(0, -1), resized], {}, noSignature)).ok).toBe(true)
})

test('reads a witness only as a plain size and 32 bytes of base64', () => {
  const root = Buffer.alloc(32, 7).toString('base64')
  expect(parseWitness(`12:${root}`)).toEqual({ size: 12, root: '\u0007'.repeat(32) })
  for (const text of [
    '',
    '12',
    `012:${root}`,
    `-1:${root}`,
    `12:${root}:`,
    `12:${root.slice(0, -1)}`,
    '12:AAAA',
  ]) {
    expect(parseWitness(text)).toBeUndefined()
  }
})

async function headOf(size: number): Promise<Witness> {
  const { head } = await verifyLedger(made.lines(entries.slice(0, size)))
  return parseWitness(`${head.size}:${head.root}`) as Witness
}

async function codes(text: readonly string[], options: Parameters<typeof verifyLedger>[1] = {}) {
  const report = await verifyLedger(text, options)
  expect(report.ok).toBe(report.failures.length === 0)
  return report.failures.map((failure) => failure.code)
}

function nextLetter(letter: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  return alphabet[alphabet.indexOf(letter) ^ 1] as string
}

test('checks the cosignatures of witnesses whose keys were given, and counts the others', async () => {
  const witness = witnessOf(7)
  const head = lines.slice(0, -1)
  const note = (JSON.parse(lines.at(-1) ?? '') as { checkpoint: string }).checkpoint
  const cosigned = (line: string) => [...head, JSON.stringify({ checkpoint: `${note}${line}` })]
  const good = await verifyLedger(cosigned(witness.line(note)), { witnessKeys: [witness.vkey] })
  expect(good).toMatchObject({ ok: true, cosigned: [{ name: witness.name, size: 5 }] })
  expect(describeReport(good)).toContain(`up to entry 5 by ${witness.name}`)
  expect(good.limits.map(({ what }) => what)).toContain(
    'Entries after 5 rewritten by someone who holds the signing key.',
  )
  expect(good.limits.map(({ code }) => code)).not.toContain('cosignatures-unchecked')
  const unknown = await verifyLedger(cosigned(witness.line(note)))
  expect(unknown).toMatchObject({ ok: true, cosigned: [] })
  expect(unknown.limits.map(({ code }) => code)).toContain('cosignatures-unchecked')
  const other = witness.line(note.replace('\n5\n', '\n4\n'))
  expect(await codes(cosigned(other), { witnessKeys: [witness.vkey] })).toEqual(['cosignature'])
})

/** A witness by the plain definition of C2SP cosignature/v1. */
function witnessOf(fill: number) {
  const name = 'witness.test/w1'
  const pkcs8 = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.alloc(32, fill),
  ])
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  const material = Buffer.concat([Uint8Array.of(4), raw])
  const id = createHash('sha256').update(`${name}\n`).update(material).digest().subarray(0, 4)
  return {
    name,
    vkey: `${name}+${id.toString('hex')}+${material.toString('base64')}`,
    line(note: string): string {
      const text = `cosignature/v1\ntime 1800000000\n${note.slice(0, note.indexOf('\n\n') + 1)}`
      const time = Buffer.alloc(8)
      time.writeBigUInt64BE(1_800_000_000n)
      const bytes = Buffer.concat([id, time, sign(null, Buffer.from(text), key)])
      return `— ${name} ${bytes.toString('base64')}\n`
    },
  }
}
