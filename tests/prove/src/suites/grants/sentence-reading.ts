/**
 * Reads the sentence of a grant as a person does, and tells what it allows. Knows nothing of the rows and covers that
 * the product keeps; where the sentence says "this", it means the call that was approved.
 */
import type { Resource } from '@countersign/contract'

/** A call and where it is made. */
export interface MadeCall {
  readonly tool: string
  readonly args: string
  readonly resources: readonly Resource[]
  readonly session: string
  readonly run: string
  readonly agent: string
  readonly goal: string | null
}

export interface SentenceReading {
  readonly tool: string
  /** Null for as often as needed. */
  readonly times: number | null
  readonly minutes: number
  /** It warns of untrusted content instead of asking again after it. */
  readonly untrusted: boolean
  allows(call: MadeCall): boolean
}

const shape =
  /^(?<tool>\S+): (?<what>.+?) (?<where>in this run|in this session|for this agent|for this goal|anywhere), (?<often>as often as needed|up to (?<times>\d+) times), (?<span>for a day|for (?<count>\d+) (?<unit>days|minutes)); (?<limit>a task that has read untrusted content asks again|also in a task that has read untrusted content: .+)$/

export function readSentence(sentence: string, approved: MadeCall): SentenceReading {
  const found = shape.exec(sentence)?.groups
  if (!found) throw new Error(`nobody can read: ${sentence}`)
  const { tool = '', what = '', where = '', times, count, unit } = found
  const parts = what.split(', ').map(partOf)
  return {
    tool,
    times: times === undefined ? null : Number(times),
    untrusted: found['limit']?.startsWith('also') === true,
    minutes: minutesOf(found['span'] ?? '', Number(count), unit),
    allows: (call) =>
      call.tool === tool &&
      isThere(where, call, approved) &&
      (parts.some((part) => part === 'this call' && call.args === approved.args) ||
        (call.resources.length > 0 &&
          call.resources.every((resource) => parts.some((part) => part !== 'this call' && part(resource))))),
  }
}

function minutesOf(span: string, count: number, unit: string | undefined): number {
  if (span === 'for a day') return 24 * 60
  return unit === 'days' ? count * 24 * 60 : count
}

function isThere(where: string, call: MadeCall, approved: MadeCall): boolean {
  switch (where) {
    case 'in this run':
      return call.run === approved.run
    case 'in this session':
      return call.session === approved.session
    case 'for this agent':
      return call.agent === approved.agent
    case 'for this goal':
      return approved.goal !== null && call.goal === approved.goal
    default:
      return where === 'anywhere'
  }
}

/** Whoever looks sends nothing but the address. */
function isLook(resource: Resource): boolean {
  return resource.type === 'url' && /^(?:GET|HEAD)$/.test(resource.method) && resource.carries === 'address'
}

type Part = 'this call' | ((resource: Resource) => boolean)

function partOf(words: string): Part {
  if (words === 'this exact call') return 'this call'
  // Programs, records and people are never granted, whatever a tool touches.
  if (words === 'whatever it touches in the workspace or looks at on the network')
    return (resource) => (resource.type === 'file' ? resource.root === 'workspace' : isLook(resource))
  const url = /^look at any address of (\w+):\/\/(.+):(\d+) with ([A-Z]+)( or HEAD)?$/.exec(words)
  if (url) {
    const [, scheme, host, port, method, either] = url
    return (resource) =>
      resource.type === 'url' &&
      isLook(resource) &&
      `${resource.scheme} ${resource.host} ${resource.port}` === `${scheme} ${host} ${port}` &&
      (either !== undefined || resource.method === method)
  }
  const made = /^create (or change )?plain files in (.+)$/.exec(words)
  if (made) {
    const [, change, place = ''] = made
    const steps = place === 'the whole workspace' ? [] : stepsOf(place)
    return (resource) =>
      resource.type === 'file' &&
      resource.op === 'write' &&
      resource.root === 'workspace' &&
      (change !== undefined || resource.identity === 'absent') &&
      isPlainFile(resource.path) &&
      steps.every((step, at) => stepsOf(resource.path)[at] === step)
  }
  const file = /^(read|list|write|delete) (in )?(.+?)( on this computer)?$/.exec(words)
  if (!file) throw new Error(`nobody can read: ${words}`)
  const [, op, inside, place = '', elsewhere] = file
  const root = elsewhere === undefined ? 'workspace' : 'host'
  const steps = place === 'the whole workspace' ? [] : stepsOf(place)
  return (resource) => {
    if (resource.type !== 'file' || resource.op !== op || resource.root !== root) return false
    const own = stepsOf(resource.path)
    return (
      steps.every((step, at) => own[at] === step) && (inside !== undefined || own.length === steps.length)
    )
  }
}

/** Has an ending that says so, and nothing hidden or odd above it. */
export function isPlainFile(path: string): boolean {
  return /\.(txt|md|csv)$/.test(path) && stepsOf(path).every((step) => /^\w[\w.-]*$/.test(step))
}

const stepsOf = (path: string): string[] => path.split('/').filter((step) => step !== '')
