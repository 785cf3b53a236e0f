/** Classifies a canonical call and asks policy: what it touches, its tier, and what policy says. Changes nothing. */

import {
  type Decision,
  hasDeceptiveName,
  isLook,
  joinLabels,
  type Label,
  type LookReply,
  type OperatorId,
  operatorLabel,
  type Requester,
  type Resolution,
  type RunId,
  type SessionId,
  usedSecrets,
  type WorkOrigin,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import {
  type AskOutlook,
  type Classification,
  factsOf,
  grantedActOf,
  type JudgedFacts,
  judgeBare,
  judgeGranted,
  mayBeAskedFor,
  mayBeExpected,
  mayBeHeld,
  mayBeListed,
  nothingKnown,
  outlookOf,
  type PolicySet,
  type TaskFacts,
  type TaskSoFar,
  taskFactsOf,
  withOne,
} from '@countersign/policy'
import { findGrant } from '../approvals/grants.ts'
import type { Store } from '../store/store.ts'
import { type Audience, audienceOf } from './audience.ts'
import type { CanonicalCall } from './canonicalize.ts'
import type { Executors } from './dispatch-ports.ts'
import { labelOfFiles } from './label-of-files.ts'
import { taskSoFar } from './task-so-far.ts'

export type CallAssessment =
  | {
      readonly kind: 'assessed'
      readonly call: CanonicalCall
      readonly resolution: Resolution
      /** For whom its permit would be made. */
      readonly audience: Audience
      readonly classification: Classification
      readonly decision: Decision
      /** What the decision was made of, so that it can be made again. */
      readonly facts: JudgedFacts
      /** What a request for it offers. Asks policy several times, so only whoever makes a request calls it. */
      readonly offers: () => AskOutlook
      /** A list of what the operator's words ask for could speak for it, or say that nobody asked for it. */
      readonly needsWishes: boolean
      /** Questions of such a list that are free, where this one is not. */
      readonly instead: FreeQuestions | null
    }
  | {
      readonly kind: 'impossible'
      readonly reason: string
      /** What the reason is worth where others wrote it. */
      readonly brought?: Label
    }

export interface FreeQuestions {
  readonly list: string
  readonly questions: readonly string[]
}

export interface CallContext {
  readonly operator: OperatorId
  readonly session: SessionId
  readonly run: RunId
  readonly label: Label
  readonly requester: Requester
  readonly unattended: boolean
  readonly agent: string
  readonly goal: string | null
  /** The operator's own conversation, and not work that was handed on. */
  readonly firstHand: boolean
  /** A reader, which asks nobody anything: what is not free to it is refused. */
  readonly inReader: boolean
}

/** With everybody for whom the run works, itself among them. */
export interface CallOfWork extends CallContext {
  readonly origins: readonly WorkOrigin[]
}

interface ClassifyPorts {
  readonly executors: Executors
  readonly store: Store
  readonly policy: PolicySet
  readonly now: Date
}

/** Calls that the gateway itself answers touch nothing. */
const atHome: Resolution = {
  resources: [],
  effects: [
    { verb: 'ask', object: 'the operator', scope: 'inside', reversible: true, outward: false, leaves: [] },
  ],
  sandbox: 'none',
  egress: 'none',
  secrets: [],
}

export async function classifyAndDecide(
  calls: readonly CanonicalCall[],
  context: CallOfWork,
  ports: ClassifyPorts,
): Promise<CallAssessment[]> {
  const resolved = new Map<CanonicalCall, LookReply | undefined>()
  await Promise.all(
    (['executor', 'gateway'] as const).map(async (runs) => {
      const theirs = calls.filter((call) => runnerOf(call) === runs)
      if (theirs.length === 0) return
      const asked = theirs.map((call) => ({ tool: call.tool.name, args: call.args }))
      const replies = await ports.executors[runs].resolve(context.operator, asked, ports.now)
      for (const [index, call] of theirs.entries()) resolved.set(call, replies[index])
    }),
  )
  const tasks = await taskFacts(calls, (call) => resolved.get(call), context, ports.store)
  return Promise.all(
    calls.map(async (call): Promise<CallAssessment> => {
      const reply =
        call.tool.runs === 'operator' ? { kind: 'resolved' as const, resolution: atHome } : resolved.get(call)
      if (!reply) return { kind: 'impossible', reason: 'The executor did not answer.' }
      if (reply.kind !== 'resolved') return impossible(call, reply)
      const checked = audienceOf(call, reply.resolution, ports.executors)
      if (checked.kind === 'refused') return { kind: 'impossible', reason: checked.reason }
      const looked = { resolution: reply.resolution, audience: checked.audience }
      return decideOne(call, looked, tasks.get(call) ?? unknown, context, ports)
    }),
  )
}

function impossible(
  { tool }: CanonicalCall,
  reply: Exclude<LookReply, { readonly kind: 'resolved' }>,
): CallAssessment {
  const reason = reply.kind === 'unavailable' ? `${reply.reason} ${reply.fix}` : reply.reason
  return { kind: 'impossible', reason, ...(reply.by === 'node' ? { brought: tool.output } : {}) }
}

/** The port of the executor leads to those of nodes too. */
function runnerOf({ tool: { runs } }: CanonicalCall): CanonicalCall['tool']['runs'] {
  return runs === 'node' ? 'executor' : runs
}

interface CallTask {
  readonly facts: TaskFacts
  readonly needsWishes: boolean
  /** It is a question that a list could have; with those that there are. Null where it is none. */
  readonly listable: { readonly instead: FreeQuestions | null } | null
}

const unknown: CallTask = { facts: nothingKnown, needsWishes: false, listable: null }

/** The rows are read only where they could say something. Calls of one batch count one after the other. */
async function taskFacts(
  calls: readonly CanonicalCall[],
  replyTo: (call: CanonicalCall) => LookReply | undefined,
  context: CallContext,
  store: Store,
): Promise<ReadonlyMap<CanonicalCall, CallTask>> {
  const candidates = calls.flatMap((call) => {
    const reply = replyTo(call)
    if (reply?.kind !== 'resolved') return []
    const uses = usedSecrets(call.tool, call.args, reply.resolution.secrets)
    const inTask = { ...context, ...reply.resolution, tool: call.tool, args: call.value, uses }
    return mayBeExpected(inTask) ? [{ call, inTask }] : []
  })
  const known = new Map<CanonicalCall, CallTask>()
  if (candidates.length === 0) return known
  let soFar = await store.read(context.operator, (db) => taskSoFar(db, context))
  for (const { call, inTask } of candidates) {
    const facts = taskFactsOf(inTask, soFar)
    known.set(call, {
      facts,
      needsWishes: mayBeAskedFor(inTask) || mayBeHeld(inTask),
      listable: mayBeListed(inTask, soFar) ? { instead: freeQuestions(soFar) } : null,
    })
    soFar = withOne(soFar, facts, inTask.resources)
  }
  return known
}

function freeQuestions({ plan }: TaskSoFar): FreeQuestions | null {
  return plan && plan.questionsLeft.length > 0 ? { list: plan.id, questions: plan.questionsLeft } : null
}

async function decideOne(
  call: CanonicalCall,
  { resolution, audience }: { readonly resolution: Resolution; readonly audience: Audience },
  { facts: task, needsWishes, listable }: CallTask,
  context: CallOfWork,
  ports: ClassifyPorts,
): Promise<CallAssessment> {
  const { label, requester, unattended, agent, goal, session, origins } = context
  const tool = {
    name: call.tool.name,
    category: call.tool.category,
    floor: call.tool.floor,
    declaresEffects: true,
  }
  const identityFlags = hasDeceptiveName(resolution.resources)
  const secrets = usedSecrets(call.tool, call.args, resolution.secrets)
  const { effects, resources } = resolution
  const act = grantedActOf({ ...context, ...resolution, tool, args: call.value, uses: secrets })
  const others = origins.filter(
    (each) => each.agent !== agent || each.goal !== goal || each.session !== session,
  )
  const judgedUnder = (worth: Label): JudgedFacts => {
    return {
      effects,
      resources,
      label: worth,
      requester,
      tool,
      secrets,
      unattended,
      identityFlags,
      task,
      act,
      work: { agent, goal, session, ...(others.length > 0 ? { origins: others } : {}) },
    }
  }
  const judged = judgedUnder(label)
  const facts = factsOf(judged)
  const { classification } = facts
  const covered = { tool: tool.name, resources, effects, argsHash: sha256Hex(call.args) }
  const offers = (): AskOutlook => {
    const again = factsOf(judgedUnder([call.tool.output, filesRead(resolution)].reduce(joinLabels, label)))
    const isRead = label.integrity === 'untrusted' && requester.kind !== 'webhook'
    const unread = isRead ? factsOf(judgedUnder({ ...label, integrity: 'tool', sources: [] })) : null
    return outlookOf({ call: covered, facts, again, unread }, ports.policy)
  }
  const { decision: bare, grantable } = judgeBare(facts, ports.policy)
  // At a level that frees no question, a list of them is of no use.
  const asListed = { ...judged, task: { ...task, question: true } }
  const mayList =
    listable !== null &&
    bare.kind === 'ask' &&
    judgeBare(factsOf(asListed), ports.policy).decision.kind === 'allow'
  const assessment = {
    kind: 'assessed' as const,
    call,
    resolution,
    audience,
    classification,
    facts: judged,
    offers,
    needsWishes: needsWishes || mayList,
    instead: mayList ? listable.instead : null,
  }
  if (context.inReader) return { ...assessment, decision: withinReader(bare, task) }
  if (!grantable) return { ...assessment, decision: bare }
  const { run } = context
  const grant = await ports.store.read(context.operator, (db) =>
    findGrant(db, { ...covered, session, run, agent, goal }, ports.now, label.integrity === 'untrusted'),
  )
  return {
    ...assessment,
    decision: grant ? judgeGranted(facts, grant, ports.policy) : bare,
  }
}

/** A reader looks at the public web and does nothing else, whatever the level would let it do. Pure. */
function withinReader(decision: Decision, { reader }: TaskFacts): Decision {
  if (decision.kind === 'deny' || (decision.kind === 'allow' && reader)) return decision
  const reason =
    'A reader only searches and reads public pages, fifty at most, and asks nobody. Answer from what you have.'
  return { ...decision, kind: 'deny', reason }
}

/** What is known of the files that a call reads, without a look at marks: those outside the workspace are strangers'. */
function filesRead({ resources }: Resolution): Label {
  const paths = resources.flatMap((resource) =>
    resource.type === 'file' && isLook(resource.op) ? [resource.path] : [],
  )
  return labelOfFiles({ paths, found: [] }, { marks: [], own: [] }) ?? operatorLabel
}
