import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gatewayLog, lastLines } from './gateway-log.ts'

test('reads the end of a log, whole lines only, however large it is', () => {
  const logs = mkdtempSync(join(tmpdir(), 'countersign-log-'))
  try {
    const log = gatewayLog(logs)
    expect(lastLines(log, 5)).toEqual([])
    writeFileSync(log, 'one\ntwo\nthree\n')
    expect(lastLines(log, 2)).toEqual(['two', 'three'])
    writeFileSync(log, `${'x'.repeat(3_000_000)}\nlast but one\nlast\n`)
    expect(lastLines(log, 5)).toEqual(['last but one', 'last'])
  } finally {
    rmSync(logs, { recursive: true, force: true })
  }
})
