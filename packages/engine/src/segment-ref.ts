/** Names a segment and its durable id; refuses parts that would make two segments share one id. */

export interface SegmentRef {
  readonly operatorId: string
  readonly runId: string
  readonly segment: number
}

export function workflowIdOf(ref: SegmentRef): string {
  if (
    !isPlain(ref.operatorId) ||
    !isPlain(ref.runId) ||
    !Number.isSafeInteger(ref.segment) ||
    ref.segment < 0
  ) {
    throw new TypeError('A segment is named by two plain ids and a number from zero up.')
  }
  return `${ref.operatorId}/${ref.runId}/${ref.segment}`
}

export function segmentRefOf(workflowId: string): SegmentRef {
  const [operatorId = '', runId = '', segment = '', ...rest] = workflowId.split('/')
  const ref = { operatorId, runId, segment: Number(segment) }
  if (rest.length > 0 || segment === '' || workflowIdOf(ref) !== workflowId) {
    throw new TypeError(`Not the id of a segment: ${workflowId}`)
  }
  return ref
}

const isPlain = (id: string) => /^[A-Za-z0-9_-]+$/.test(id)
