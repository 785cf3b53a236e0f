/**
 * Owns the signed statements that the gateway sent, one a line, only ever longer. Nobody is believed because a line is
 * here: what holds is weighed anew by whoever reads. What a device signed after its owner here forgot it becomes an empty
 * line, so that the count stays that of the gateway.
 */
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { type DeviceId, DeviceId as DeviceIdShape, parseStrict, SignedStatement } from '@countersign/contract'
import { replaceFile } from '@countersign/contract/node'
import { z } from 'zod'
import type { NodePaths } from './node-home.ts'

export interface StatementLog {
  count(): number
  /** Says why these cannot follow what is here. On the disk when it returns. */
  append(from: number, lines: readonly string[]): string | null
}

const longestLine = 64 * 1024
const mostLines = 100_000
const nobody = '{}'

export function openStatementLog(paths: Pick<NodePaths, 'statements' | 'forgotten'>): StatementLog {
  const count = () => linesOf(paths.statements)
  return {
    count,
    append(from, lines) {
      const held = count()
      if (from !== held) return `the statements begin with number ${from}, and ${held} are here`
      if (lines.length === 0) return null
      if (held + lines.length > mostLines) return 'there are more statements than a node holds'
      if (lines.some((line) => line.length > longestLine || line.includes('\n')))
        return 'a statement is too long'
      const forgotten = forgottenDevices(paths)
      const kept = lines.map((line) => (isBy(line, forgotten) ? nobody : line))
      const handle = openSync(paths.statements, 'a', 0o600)
      try {
        writeSync(handle, kept.map((line) => `${line}\n`).join(''))
        fsyncSync(handle)
      } finally {
        closeSync(handle)
      }
      return null
    },
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

function isBy(line: string, forgotten: readonly DeviceId[]): boolean {
  if (forgotten.length === 0) return false
  const strict = parseStrict(line)
  const signed = strict.kind === 'value' ? SignedStatement.safeParse(strict.value).data : undefined
  return signed?.by !== null && signed?.by !== undefined && forgotten.includes(signed.by.device)
}

/** A last line without its end was never written whole, and would spoil the next one. */
function linesOf(path: string): number {
  const text = readOrNothing(path)
  const end = text.lastIndexOf('\n') + 1
  if (end !== text.length) replaceFile(path, text.slice(0, end))
  return end === 0 ? 0 : text.slice(0, end).split('\n').length - 1
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
