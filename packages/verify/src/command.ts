/** The command line of countersign-verify: arguments in, one report and an exit code out. */
import { parseArgs } from 'node:util'
import { linesOf } from './lines.ts'
import { keyTypes, parseKey } from './note.ts'
import { describeReport } from './report.ts'
import { parseWitness, type VerifyOptions, verifyLedger, type Witness } from './verifier.ts'

export interface CommandIo {
  out(text: string): void
  error(text: string): void
  /** A path, or `-` for standard input. */
  open(path: string): AsyncIterable<Uint8Array>
}

export const exitCodes = { ok: 0, unreadable: 1, usage: 2, notFound: 3, failed: 11 } as const

export async function runCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const request = requestOf(args)
  if (request.kind === 'help') {
    io.out(help)
    return exitCodes.ok
  }
  if (request.kind === 'wrong') {
    return refuse(io, request.json, 'usage', `${request.what} Try: countersign-verify --help`)
  }
  try {
    const report = await verifyLedger(linesOf(io.open(request.path)), request.options)
    io.out(request.json ? `${JSON.stringify(report)}\n` : describeReport(report))
    return report.ok ? exitCodes.ok : exitCodes.failed
  } catch (error) {
    // Only the system's refusal to read is an outcome; anything else that throws here is a bug.
    if (!(error instanceof Error && 'syscall' in error)) throw error
    const code = errorCodeOf(error) ?? error.name
    return code === 'ENOENT'
      ? refuse(
          io,
          request.json,
          'notFound',
          `There is no file ${request.path}. Check the path, or use - for standard input.`,
        )
      : refuse(
          io,
          request.json,
          'unreadable',
          `${request.path} cannot be read (${code}). Check its permissions.`,
        )
  }
}

type Request =
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly what: string; readonly json: boolean }
  | {
      readonly kind: 'verify'
      readonly path: string
      readonly json: boolean
      readonly options: VerifyOptions
    }

const help = `countersign-verify: check an exported ledger without trusting the gateway that wrote it.

Usage: countersign-verify <export.jsonl> [options]      (- reads standard input)

  --key <vkey>              the key you know, as a paired device shows it; without it
                            the key that the file declares is used, and said to be so
  --witness <size>:<root>   a head that you or a device kept earlier; may be repeated
  --witness-key <vkey>      the key of a witness, as \`countersign ledger witnesses --json\`
                            shows it; its cosignatures are checked; may be repeated
  --strict                  fail when entries stand after the last checkpoint
  --json                    print the report as one JSON document
  --help                    show this text

Examples:
  countersign-verify ledger.jsonl
  countersign-verify ledger.jsonl --key 'gateway.example+4fa2c09b+AbX1...'
  countersign-verify ledger.jsonl --witness 4096:q1Zr...=
  gzip -dc ledger.jsonl.gz | countersign-verify - --strict --json

The report prints the head as <size>:<root>. Keep it somewhere else and pass it as
--witness next time: then a cut or rewritten history shows.

Exit codes: 0 verified, 11 not verified, 2 wrong usage, 3 file not found, 1 file unreadable.
`

function requestOf(args: readonly string[]): Request {
  const json = args.includes('--json')
  const wrong = (what: string): Request => ({ kind: 'wrong', what, json })
  const parsed = parsedArgs(args)
  if (typeof parsed === 'string') return wrong(parsed)
  const { values, positionals } = parsed
  if (values.help === true) return { kind: 'help' }
  const [path, ...more] = positionals
  if (path === undefined || more.length > 0) return wrong('Name exactly one export file.')
  if (values.key !== undefined && parseKey(values.key) === undefined) {
    return wrong('--key is not a verifier key of the form name+hash+base64.')
  }
  const witnesses: Witness[] = []
  for (const text of values.witness ?? []) {
    const witness = parseWitness(text)
    if (witness === undefined) return wrong('--witness is not of the form size:base64root.')
    witnesses.push(witness)
  }
  const witnessKeys = values['witness-key'] ?? []
  if (witnessKeys.some((vkey) => parseKey(vkey, keyTypes.witness) === undefined))
    return wrong('--witness-key is not the key of a witness, of the form name+hash+base64.')
  const key = values.key === undefined ? {} : { key: values.key }
  const strict = values.strict === true
  return { kind: 'verify', path, json, options: { ...key, witnesses, witnessKeys, strict } }
}

function parsedArgs(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        key: { type: 'string' },
        witness: { type: 'string', multiple: true },
        'witness-key': { type: 'string', multiple: true },
        strict: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    if (error instanceof TypeError && errorCodeOf(error)?.startsWith('ERR_PARSE_ARGS') === true) {
      return `${error.message.split('\n')[0]}.`
    }
    throw error
  }
}

function refuse(io: CommandIo, json: boolean, type: keyof typeof exitCodes, message: string): number {
  if (json) io.out(`${JSON.stringify({ ok: false, error: { type, message } })}\n`)
  else io.error(`${message}\n`)
  return exitCodes[type]
}

function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
