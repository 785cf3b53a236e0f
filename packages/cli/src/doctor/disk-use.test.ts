import { expect, it } from 'vitest'
import { plainDisk as disk } from '../testing/records.ts'
import { diskUse } from './disk-use.ts'

it('names the three largest parts and is content while there is room', () => {
  expect(diskUse(disk)).toMatchObject({
    severity: 'ok',
    evidence: '80 GB free; what grows: details of finished runs 6.0 MB, the ledger 5.0 MB, events 4.0 MB',
    fix: '',
  })
})

it('warns when little is left, and says what to do about the largest part', () => {
  const little = { ...disk, free: 3_000_000_000 }
  expect(diskUse(little)).toMatchObject({
    severity: 'warning',
    fix: expect.stringContaining('retention'),
  })
  expect(diskUse({ ...little, ledger: 9_000_000_000 })).toMatchObject({
    severity: 'warning',
    evidence: expect.stringContaining('what grows: the ledger 9.0 GB'),
    fix: expect.stringContaining('never shortened'),
  })
  expect(diskUse({ ...little, workspace: 9_000_000_000 }).fix).toContain('workspace')
})

it('says that nothing was counted rather than that nothing is used', () => {
  const unknown = {
    free: 0,
    database: 0,
    events: 0,
    details: 0,
    ledger: 0,
    workspace: 0,
    executor: 0,
    logs: 0,
  }
  expect(diskUse(unknown)).toMatchObject({ severity: 'warning', evidence: 'not counted' })
})
