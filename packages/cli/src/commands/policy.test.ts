import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CommandBench, openCommandBench } from '../testing/command.ts'

let bench: CommandBench
let folder: string
beforeEach(async () => {
  bench = await openCommandBench('2026-08-01T12:00:00.000Z')
  folder = mkdtempSync(join(tmpdir(), 'policy-rules-'))
})
afterEach(async () => {
  await bench.close()
  rmSync(folder, { recursive: true })
})

describe('policy show', () => {
  it('says what is in force, since when and by whom', async () => {
    const { text } = await bench.command(['policy', 'show'])
    expect(text).toContain('Policy version 3, since')
    expect(text).toContain('by desk')
    expect(text).toContain('Ask before calls of write_file when it touches something in letters.')
    expect(text).toContain('execute_shell')
  })

  it('shows what was in force at an entry', async () => {
    expect(await bench.document(['policy', 'as-of', '#412'])).toMatchObject({ version: { number: 3 } })
    expect((await bench.command(['policy', 'as-of', 'never'])).exit).toBe(2)
  })
})

describe('a draft', () => {
  it('is tried on past calls, with the words of the web app', async () => {
    const { text } = await bench.command(['policy', 'simulate', '--level', 'low'])
    expect(text).toContain(
      'In your last 212 calls it would have asked 12 times less, allowed 3 more and refused 9 more.',
    )
    expect(bench.gateway.policy.simulated).toMatchObject([{ document: { autonomy: 'low' }, days: 30 }])
  })

  it('is read from a folder, and its errors are named with their lines', async () => {
    writeFileSync(join(folder, 'b.cedar'), 'permit (')
    mkdirSync(join(folder, 'sub'))
    const problem = { file: 'b.cedar', line: 1, message: 'unexpected end' }
    bench.gateway.policy.check = { problems: [problem], rules: [], loosens: [], same: false }
    const checked = await bench.command(['policy', 'check', folder])
    expect(checked.exit).toBe(10)
    expect(checked.complaints).toContain('b.cedar:1 unexpected end')
    const applied = await bench.command(['policy', 'apply', '--rules', folder])
    expect(applied.exit).toBe(10)
    expect(bench.gateway.policy.applied).toEqual([])
  })

  it('says nothing of a level that there is not', async () => {
    expect((await bench.command(['policy', 'level', 'wild'])).exit).toBe(2)
    expect((await bench.command(['policy', 'apply', '--level', 'wild'])).exit).toBe(10)
    expect((await bench.command(['policy', 'apply'])).exit).toBe(2)
  })
})

describe('policy level', () => {
  it('shows the levels with how often each asks', async () => {
    const { text } = await bench.command(['policy', 'level'])
    expect(text).toMatch(/\*\s+medium\s+41 in 100/)
  })

  it('is sealed by this device, for the version that was shown', async () => {
    const { text } = await bench.command(['policy', 'level', 'low'])
    expect(text).toContain('Policy version 4 is in force, at level low.  Ledger #41')
    expect(bench.gateway.policy.applied).toMatchObject([
      { base: 3, document: { autonomy: 'low', passkeyTools: ['execute_shell'] }, seal: { by: 'device' } },
    ])
  })
})
