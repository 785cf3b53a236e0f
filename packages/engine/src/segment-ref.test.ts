import { describe, expect, it } from 'vitest'
import { segmentRefOf, workflowIdOf } from './segment-ref.ts'

describe('the id of a segment', () => {
  it('comes back as the ref it was made from', () => {
    const ref = { operatorId: 'op_1', runId: 'run_018f-a', segment: 3 }
    expect(segmentRefOf(workflowIdOf(ref))).toEqual(ref)
  })

  it.each([
    { operatorId: 'op/1', runId: 'run_1', segment: 0 },
    { operatorId: 'op_1', runId: '', segment: 0 },
    { operatorId: 'op_1', runId: 'run_1', segment: -1 },
    { operatorId: 'op_1', runId: 'run_1', segment: 0.5 },
  ])('refuses parts that could name another segment: %o', (ref) => {
    expect(() => workflowIdOf(ref)).toThrow(TypeError)
  })

  it.each(['op_1/run_1', 'op_1/run_1/', 'op_1/run_1/01', 'op_1/run_1/0/0', ''])(
    'refuses to read %o',
    (id) => {
      expect(() => segmentRefOf(id)).toThrow(TypeError)
    },
  )
})
