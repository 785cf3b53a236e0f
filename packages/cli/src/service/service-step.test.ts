import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { carryOut, runStep, type ServiceStep } from './service-step.ts'

let folder: string
const started: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-step-'))
  started.length = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const start = async (program: string) => {
  started.push(program)
  return { kind: 'ran', code: 0, output: '', errors: '' } as const
}
const write = (path: string): ServiceStep => ({ kind: 'write', path, text: 'ours', mode: 0o600 })

it('writes over a file and sets its mode', async () => {
  const path = join(folder, 'service')
  writeFileSync(path, 'older', { mode: 0o644 })
  expect(await carryOut([write(path)], start)).toEqual({ kind: 'done' })
  expect(readFileSync(path, 'utf8')).toBe('ours')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it('writes through no link, and does nothing after it', async () => {
  const path = join(folder, 'service')
  for (const target of ['theirs', 'nowhere']) {
    rmSync(path, { force: true })
    writeFileSync(join(folder, 'theirs'), 'theirs')
    symlinkSync(join(folder, target), path)
    const outcome = await carryOut([write(path), runStep('systemctl', [])], start)
    expect(outcome).toMatchObject({ kind: 'failed', step: { path }, why: expect.stringContaining('link') })
  }
  expect(readFileSync(join(folder, 'theirs'), 'utf8')).toBe('theirs')
  expect(existsSync(join(folder, 'nowhere'))).toBe(false)
  expect(started).toEqual([])
})
