import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { probeBubblewrap } from './bubblewrap.ts'
import { sandboxContract } from './contract.ts'

sandboxContract('bubblewrap', async (place) => {
  const probe = await probeBubblewrap(place)
  if (probe.kind === 'unavailable') throw new Error(`${probe.reason}. ${probe.fix}`)
  return probe.sandbox
})

describe('the probe for bubblewrap', () => {
  const workspace = mkdtempSync(join(tmpdir(), 'sandbox-probe-'))

  it('is unavailable with a reason and a fix when bubblewrap is missing', async () => {
    expect(await probeBubblewrap({ workspace, hidden: [], bubblewrapPath: '/nonexistent/bwrap' })).toEqual({
      kind: 'unavailable',
      reason: 'bubblewrap is not installed',
      fix: 'apt-get install bubblewrap',
    })
  })

  it('is unavailable when prlimit is missing', async () => {
    const probe = await probeBubblewrap({ workspace, hidden: [], prlimitPath: '/nonexistent/prlimit' })
    expect(probe).toMatchObject({ kind: 'unavailable', fix: 'apt-get install util-linux' })
  })

  it('is unavailable when what stands in for bubblewrap does not isolate', async () => {
    const probe = await probeBubblewrap({ workspace, hidden: [], bubblewrapPath: '/usr/bin/true' })
    expect(probe.kind).toBe('unavailable')
  })

  it('refuses the root, the state directory or nothing as a workspace', async () => {
    for (const place of ['/', workspace, '/nonexistent/workspace']) {
      expect((await probeBubblewrap({ workspace: place, hidden: [workspace] })).kind).toBe('unavailable')
    }
    rmSync(workspace, { recursive: true })
  })
})
