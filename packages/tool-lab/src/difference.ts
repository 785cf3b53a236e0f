/**
 * Compares what `effects` said of a call with what the call did. What was done must be named twice: by a resource,
 * which the permit binds, and by an effect, from which the tier and the card come. Pure.
 */
import type { Effect, ExecResource, FileResource, Resolution, UrlResource } from '@countersign/contract'
import type { Observation, ProgramUse, RequestUse } from './observation.ts'
import type { Change } from './snapshot.ts'

export interface CallTrace {
  readonly resolution: Pick<Resolution, 'resources' | 'effects'>
  readonly observed: Observation
  /** What differs in the workspace, seen from outside the tool. */
  readonly changes: readonly Change[]
  readonly succeeded: boolean
}

export interface Difference {
  readonly problems: readonly { readonly sentence: string; readonly fix: string }[]
  readonly notes: readonly string[]
}

export function differenceOf(trace: CallTrace): Difference {
  const parts = [fileDifference(trace), requestDifference(trace), programDifference(trace)]
  return {
    problems: parts.flatMap(({ problems }) => problems),
    notes: parts.flatMap(({ notes }) => notes),
  }
}

const nameIt = 'Name it in the resources and the effects that `effects` gives, or leave it alone.'
const addEffect = (verb: string, object: string) =>
  `Add an effect with the verb \`${verb}\` for ${object}: the tier and the card come from effects, not from resources.`

function fileDifference({ resolution, observed, changes, succeeded }: CallTrace): Difference {
  const problems = new Map<string, string>()
  const notes = new Set<string>()
  const named = resolution.resources.filter((resource): resource is FileResource => resource.type === 'file')
  const ranProgram = observed.programs.length > 0
  const byProgram: string[] = []
  for (const { op, location } of observed.files) {
    const isNamed = named.some(
      (resource) =>
        resource.root === location.root &&
        (resource.path === location.path || location.root === 'host') &&
        coversOp(resource, op),
    )
    if (isNamed) continue
    if (op === 'write' || op === 'delete')
      problems.set(`${triedWords[op]} ${location.path}, which effects does not name`, nameIt)
    else notes.add(`It tried to read ${location.path}, which effects does not name, and was refused.`)
  }
  for (const change of changes) {
    const verb = change.what === 'deleted' ? 'delete' : 'write'
    const isBound = named.some((resource) => resource.root === 'workspace' && covers(resource, verb, change))
    if (isBound) {
      const isTold = resolution.effects.some(
        (effect) =>
          effect.verb === verb &&
          named.some((one) => covers(one, verb, change) && names(effect.object, one.path)),
      )
      if (!isTold && !(ranProgram && tellsOfChange(resolution.effects)))
        problems.set(
          `${doneWords[verb]} ${change.path}, which only its resources name`,
          addEffect(verb, change.path),
        )
      continue
    }
    if (ranProgram && tellsOfChange(resolution.effects)) byProgram.push(change.path)
    else {
      const how =
        observed.files.some(({ op, location }) => op === verb && location.path === change.path) || ranProgram
          ? ''
          : ' without its capabilities'
      const words = `${doneWords[verb]} ${change.path}${how}, which effects does not name`
      if (!problems.has(`${triedWords[verb]} ${change.path}, which effects does not name`))
        problems.set(words, nameIt)
    }
  }
  if (byProgram.length > 0) notes.add(`A program of it changed ${listed(byProgram)}.`)
  if (succeeded && !ranProgram) {
    for (const { op, path } of named) {
      const isSeen = observed.files.some((use) => use.op === op && use.location.path === path)
      if ((op === 'write' || op === 'delete') && !isSeen)
        notes.add(`It names a ${op} of ${path} that did not happen.`)
    }
  }
  return { problems: sentences(problems), notes: [...notes] }
}

const mostListed = 3

function listed(paths: readonly string[]): string {
  const more = paths.length - mostListed
  return `${paths.slice(0, mostListed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const triedWords = { write: 'tried to write', delete: 'tried to delete' } as const
const doneWords = { write: 'wrote', delete: 'deleted' } as const

/** To look at a folder for its names is less than to read what is below it. */
function coversOp({ op }: FileResource, used: FileResource['op']): boolean {
  return op === used || (used === 'read' && op === 'list')
}

function covers({ op, path }: FileResource, verb: 'write' | 'delete', change: Change): boolean {
  if (op !== verb) return false
  const isBelow = change.path.startsWith(`${path}/`)
  const isAbove = change.isFolder && path.startsWith(`${change.path}/`)
  return path === change.path || path === '.' || isBelow || isAbove
}

function tellsOfChange(effects: readonly Effect[]): boolean {
  return effects.some(({ verb }) => verb === 'write' || verb === 'delete' || verb === 'execute')
}

/** An effect says in words what it is done to; the path must stand in them by itself. */
export function names(object: string, thing: string): boolean {
  let at = object.indexOf(thing)
  while (at >= 0) {
    const before = object[at - 1] ?? ' '
    const after = object[at + thing.length] ?? ' '
    if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true
    at = object.indexOf(thing, at + 1)
  }
  return false
}

function requestDifference({ resolution, observed, succeeded }: CallTrace): Difference {
  const problems = new Map<string, string>()
  const notes = new Set<string>()
  const named = resolution.resources.filter((resource): resource is UrlResource => resource.type === 'url')
  for (const request of observed.requests) {
    const where = request.target ? placeText(request.target) : request.url
    const found = named.find((resource) => isFor(resource, request))
    const telling = resolution.effects.filter(
      ({ object }) => request.target && names(object, request.target.host),
    )
    const sends = request.method !== 'GET' && request.method !== 'HEAD'
    if (!found) problems.set(`asked for ${where} by ${request.method}, which effects does not name`, nameIt)
    else if (telling.length === 0)
      problems.set(
        `asked for ${where}, which only its resources name`,
        addEffect(sends ? 'send' : 'fetch', where),
      )
    else if (sends && !telling.some(({ verb, outward }) => verb === 'send' || outward))
      problems.set(
        `sent ${request.method} to ${where}, which effects calls a ${telling[0]?.verb}`,
        addEffect('send', where),
      )
  }
  const programRefused = observed.programs.flatMap(({ refused }) => refused)
  for (const what of programRefused)
    problems.set(`let a program ask for ${what}, which effects does not name`, nameIt)
  if (succeeded)
    for (const resource of named)
      if (resource.method !== 'CONNECT' && !observed.requests.some((request) => isFor(resource, request)))
        notes.add(`It names ${placeText(resource)} by ${resource.method}, and did not ask for it.`)
  return { problems: sentences(problems), notes: [...notes] }
}

function isFor(resource: UrlResource, { method, target }: RequestUse): boolean {
  return (
    target !== null &&
    resource.scheme === target.scheme &&
    resource.host === target.host &&
    resource.port === target.port &&
    resource.method === method
  )
}

function placeText({ scheme, host, port }: { scheme: string; host: string; port: number }): string {
  return `${scheme}://${host}:${port}`
}

function programDifference({ resolution, observed, succeeded }: CallTrace): Difference {
  const problems = new Map<string, string>()
  const notes = new Set<string>()
  const named = resolution.resources.filter((resource): resource is ExecResource => resource.type === 'exec')
  for (const program of observed.programs) {
    const words = program.argv.join(' ')
    if (!named.some((resource) => isRun(resource, program)))
      problems.set(`ran ${words}, which effects does not name`, nameIt)
    else if (resolution.effects.length === 0)
      problems.set(`ran ${words}, which only its resources name`, addEffect('execute', words))
  }
  const isOpen = named.some(({ uninspectable }) => uninspectable)
  if (succeeded && !isOpen)
    for (const resource of named)
      if (!observed.programs.some((program) => isRun(resource, program)))
        notes.add(`It names the program ${resource.argv.join(' ')}, and did not run it.`)
  return { problems: sentences(problems), notes: [...notes] }
}

function isRun({ argv, cwd, path }: ExecResource, program: ProgramUse): boolean {
  const [word = '', ...rest] = program.argv
  const [bound = '', ...others] = argv
  const isSame = word === bound || word === path || word.endsWith(`/${bound}`)
  return (
    isSame &&
    cwd === program.cwd &&
    rest.length === others.length &&
    rest.every((text, at) => text === others[at])
  )
}

function sentences(problems: ReadonlyMap<string, string>): Difference['problems'] {
  return [...problems].map(([sentence, fix]) => ({ sentence, fix }))
}
