/**
 * Owns the signed statements of the operator that this node holds, one a line, only ever longer. The gateway sends all
 * that it has over each connection, and what is new and holds is kept: so neither what a gateway made up nor what one
 * lost stands in the place of a revocation. What a device signs after its owner here forgot it is left out.
 */
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { type DeviceId, DeviceId as DeviceIdShape, parseStrict, SignedStatement } from '@countersign/contract'
import { checkStatement, replaceFile, watchBelieved } from '@countersign/contract/node'
import { verifyPasskey } from '@countersign/executor/node'
import { z } from 'zod'
import type { NodePaths } from './node-home.ts'

export interface StatementLog {
  /** One after the other. Says why these are refused whole. On the disk when it resolves. */
  append(lines: readonly string[]): Promise<string | null>
}

const longestLine = 64 * 1024
const mostLines = 100_000

export function openStatementLog(paths: Pick<NodePaths, 'trust' | 'statements' | 'forgotten'>): StatementLog {
  const trusted = watchBelieved({ trust: paths.trust, devices: paths.statements }, verifyPasskey)
  let before: Promise<unknown> = Promise.resolve()

  async function append(lines: readonly string[]): Promise<string | null> {
    if (lines.some((line) => line.length > longestLine || line.includes('\n')))
      return 'a statement is too long'
    const held = new Set(linesOf(paths.statements))
    const forgotten = forgottenDevices(paths)
    let { believed } = await trusted()
    const kept: string[] = []
    for (const line of lines) {
      if (held.has(line)) continue
      const signed = statementIn(line)
      if (!signed || isForgotten(signed, forgotten)) continue
      const check = await checkStatement(believed, signed, verifyPasskey)
      if (check.kind !== 'holds') continue
      believed = check.believed
      kept.push(line)
    }
    if (kept.length === 0) return null
    if (held.size + kept.length > mostLines) return 'there are more statements than a node holds'
    write(paths.statements, kept)
    return null
  }

  return {
    append(lines) {
      const next = before.then(() => append(lines))
      before = next.catch(() => undefined)
      return next
    },
  }
}

/** What a passkey alone lets in may come from the lost device too; what it takes away costs nothing. */
function isForgotten({ by, statement }: SignedStatement, forgotten: readonly DeviceId[]): boolean {
  if (forgotten.length === 0) return false
  return by === null ? statement.kind !== 'revoke' : forgotten.includes(by.device)
}

function write(path: string, lines: readonly string[]): void {
  const handle = openSync(path, 'a', 0o600)
  try {
    writeSync(handle, lines.map((line) => `${line}\n`).join(''))
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const Forgotten = z.strictObject({ v: z.literal(1), devices: z.array(DeviceIdShape) })

/** Throws where the file is damaged: then nobody can say who is left. */
export function forgottenDevices({ forgotten }: Pick<NodePaths, 'forgotten'>): readonly DeviceId[] {
  const text = readOrNothing(forgotten)
  return text === '' ? [] : Forgotten.parse(JSON.parse(text)).devices
}

/** From now on nothing that this device signs counts here, whatever the gateway says of it. */
export function forgetDevice(paths: Pick<NodePaths, 'forgotten'>, device: DeviceId): void {
  const devices = [...new Set([...forgottenDevices(paths), device])]
  replaceFile(paths.forgotten, `${JSON.stringify({ v: 1, devices })}\n`)
}

function statementIn(line: string): SignedStatement | undefined {
  const strict = parseStrict(line)
  return strict.kind === 'value' ? SignedStatement.safeParse(strict.value).data : undefined
}

/** A last line without its end was never written whole, and would spoil the next one. */
function linesOf(path: string): string[] {
  const text = readOrNothing(path)
  const end = text.lastIndexOf('\n') + 1
  if (end !== text.length) replaceFile(path, text.slice(0, end))
  return text.slice(0, end).split('\n').slice(0, -1)
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
