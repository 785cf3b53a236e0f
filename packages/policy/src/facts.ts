/** Owns the translation of a call into what Cedar is asked. Adds nothing that the call does not show. */
import {
  confidentialityOrder,
  type Effect,
  integrityOrder,
  isLook,
  type Label,
  Requester,
  type Resource,
  unprovenMail,
  type WorkOrigin,
} from '@countersign/contract'
import { type Classification, isUninspectable } from './classify.ts'
import type { PolicySet } from './compile.ts'
import type { EngineRequest } from './engine.ts'
import type { GrantedAct } from './grants/granted-act.ts'
import type { TaskFacts } from './task-so-far.ts'

export interface CallFacts {
  readonly tool: { readonly name: string; readonly category: string }
  readonly classification: Classification
  readonly effects: readonly Effect[]
  readonly resources: readonly Resource[]
  /** Names of the secrets that the call would take along. */
  readonly secrets: readonly string[]
  readonly label: Label
  readonly requester: Requester
  readonly unattended: boolean
  /** The operator's grant that covers this call, if one does. */
  readonly granted: CoveringGrant | null
  /** What a grant can answer after untrusted content was read; left out, nothing. */
  readonly act?: GrantedAct | null | undefined
  /** What the records of the task say for it; left out, nothing. */
  readonly task?: TaskFacts | undefined
  /** Where the call is made; left out, nowhere that a rule could name. */
  readonly work?: WorkFacts | undefined
}

/** Of the run, by the kernel's own rows. */
export interface WorkFacts {
  readonly agent: string
  readonly goal: string | null
  readonly session: string
  /** Whoever began the work, and so is held to what forbids it; left out, nobody but the run itself. */
  readonly origins?: readonly WorkOrigin[] | undefined
}

export interface CoveringGrant {
  readonly id: string
  /** Its sentence says that it holds after untrusted content was read; left out, it does not. */
  readonly untrusted?: boolean | undefined
}

/** The request with its two switches, which decide alone may turn between evaluations. */
export interface CallRequest extends EngineRequest {
  readonly context: EngineRequest['context'] & { approved: boolean; granted: boolean }
}

/** The highest tier that a grant can cover. */
export const grantableTier = 2

/** Throws at a word it does not know: a rule that forbids by name would pass over it. */
export function requestOf(facts: CallFacts, { autonomy, needs }: PolicySet): CallRequest {
  requireKnown(facts)
  const { kind } = facts.requester
  // Calls that no rule tells apart are one question, and it is answered once.
  const principal = { type: 'Requester', id: needs.requesters ? facts.requester.id : kind }
  const resource = { type: 'Tool', id: needs.tools ? facts.tool.name : anyTool(facts, needs.categories) }
  const entities: EngineRequest['entities'] = []
  // A kind that no rule names is in none that a rule names.
  if (needs.requesterKinds === 'all' || needs.requesterKinds.has(kind))
    entities.push({ uid: principal, attrs: {}, parents: [{ type: 'RequesterKind', id: kind }] })
  if (needs.categories) {
    entities.push({ uid: resource, attrs: {}, parents: [{ type: 'Category', id: facts.tool.category }] })
  }
  const context: CallRequest['context'] = contextOf(facts, autonomy)
  return {
    principal,
    resource,
    entities,
    context: needs.attributes === 'all' ? context : only(needs.attributes, context),
  }
}

function anyTool({ tool }: CallFacts, categories: boolean): string {
  return categories ? `any of ${tool.category}` : 'any'
}

export function isGranted(facts: CallFacts): boolean {
  return facts.granted !== null && isGrantable(facts, facts.granted.untrusted === true)
}

/**
 * Whether a grant can speak for such a call at all. It was given for the operator's own work: not for the use of a
 * secret, and for what content of strangers may have led to only where its sentence says so and the act is a plain one.
 */
export function isGrantable(
  { classification, secrets, label, act }: Omit<CallFacts, 'granted'>,
  untrusted = false,
): boolean {
  if (classification.tier > grantableTier || secrets.length > 0) return false
  return label.integrity !== 'untrusted' || (untrusted && (act ?? null) !== null)
}

function only(names: ReadonlySet<string>, context: CallRequest['context']): CallRequest['context'] {
  const some: CallRequest['context'] = { approved: context.approved, granted: context.granted }
  for (const name of names) {
    const value = context[name]
    if (value !== undefined) some[name] = value
  }
  return some
}

/** What is told of a call before its effects and resources are looked at. */
function bareContext(facts: CallFacts, autonomy: string) {
  return {
    approved: false,
    granted: false,
    tier: facts.classification.tier,
    autonomy,
    integrity: facts.label.integrity,
    confidentiality: facts.label.confidentiality,
    unattended: facts.unattended,
    agent: facts.work?.agent ?? '',
    goal: facts.work?.goal ?? '',
    session: facts.work?.session ?? '',
    channel: facts.requester.via?.channel ?? '',
    chat: facts.requester.via?.chat ?? '',
    peer: facts.requester.kind === 'peer' ? facts.requester.id : '',
    unproven: facts.label.sources.includes(unprovenMail),
    reads: false,
    changes: false,
    egress: false,
    outward: false,
    irreversible: false,
    uninspectable: false,
    outside: false,
    fresh: facts.task?.fresh === true,
    named: facts.task?.named === true,
    look: facts.task?.look === true,
    question: facts.task?.question === true,
    reader: facts.task?.reader === true,
    asked: (facts.task?.asked ?? null) !== null,
    secrets: [...facts.secrets],
    hosts: [] as string[],
    paths: [] as string[],
    folders: [] as string[],
    methods: [] as string[],
    server: '',
    serverTool: '',
  }
}

function contextOf(facts: CallFacts, autonomy: string) {
  const context = bareContext(facts, autonomy)
  for (const effect of facts.effects) addEffect(context, effect)
  for (const resource of facts.resources) addResource(context, resource)
  return context
}

type Context = ReturnType<typeof bareContext>

function addEffect(context: Context, effect: Effect): void {
  switch (effect.verb) {
    case 'read':
    case 'list':
      context.reads = true
      break
    case 'fetch':
      context.reads = true
      context.egress = true
      break
    case 'send':
      context.egress = true
      context.outward = true
      break
    case 'write':
    case 'delete':
    case 'execute':
    case 'spend':
    case 'authority':
      context.changes = true
      break
    case 'ask':
      break
    default:
      throw unknownWord('effect', effect.verb satisfies never)
  }
  if (effect.outward) context.outward = true
  if (effect.outward || effect.leaves.length > 0) context.egress = true
  if (!effect.reversible && effect.verb !== 'ask') context.irreversible = true
}

function addResource(context: Context, resource: Resource): void {
  switch (resource.type) {
    case 'url':
      context.hosts.push(resource.host)
      context.methods.push(resource.method)
      break
    case 'file':
      context.paths.push(resource.path)
      addFolders(context.folders, resource.path)
      if (resource.root === 'host' && isLook(resource.op)) context.outside = true
      break
    case 'exec':
      context.paths.push(resource.path)
      addFolders(context.folders, resource.path)
      if (isUninspectable(resource)) context.uninspectable = true
      break
    case 'record':
    case 'peer':
    case 'node':
    case 'extension':
      break
    // Whatever its tier: an answer that is only looked up is asked for with words, and they can hold what is private.
    case 'server-tool':
      if (resource.reaches) context.egress = true
      addServerTool(context, resource)
      break
    default:
      throw unknownWord('resource', resource satisfies never)
  }
}

/** A call is of one tool of one server. A rule that forbids by name would pass over the first of two. */
function addServerTool(context: Context, { server, tool }: Extract<Resource, { type: 'server-tool' }>): void {
  if (context.server !== '') throw unknownWord('second server', server)
  for (const name of [server, tool]) if (name === '' || !name.isWellFormed()) throw unknownWord('name', name)
  context.server = server
  context.serverTool = tool
}

function requireKnown({ classification, label, requester, tool, work }: CallFacts): void {
  const { tier } = classification
  if (!Number.isInteger(tier) || tier < 0 || tier > 4) throw unknownWord('tier', tier)
  if (!Requester.shape.kind.options.includes(requester.kind)) throw unknownWord('requester', requester.kind)
  const of = work ? [work, ...(work.origins ?? [])].flatMap(namesIn) : []
  const { channel = '', chat = '' } = requester.via ?? {}
  for (const name of [requester.id, channel, chat, tool.name, tool.category, ...of])
    if (typeof name !== 'string' || !name.isWellFormed()) throw unknownWord('name', name)
  if (!integrityOrder.includes(label.integrity)) throw unknownWord('integrity', label.integrity)
  if (!confidentialityOrder.includes(label.confidentiality)) {
    throw unknownWord('confidentiality', label.confidentiality)
  }
}

function namesIn({ agent, goal, session }: WorkFacts): string[] {
  return [agent, goal ?? '', session]
}

function unknownWord(what: string, word: unknown): TypeError {
  return new TypeError(`unknown ${what} ${JSON.stringify(word)}`)
}

function addFolders(folders: string[], path: string): void {
  for (let end = path.lastIndexOf('/'); end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
    folders.push(end === 0 ? '/' : path.slice(0, end))
  }
}
