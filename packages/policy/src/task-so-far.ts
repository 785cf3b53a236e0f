/** Owns the shape of a task's facts and of what they are made of: its records so far, and a call in it. */
import type {
  ActKind,
  AskedItem,
  Effect,
  JsonObject,
  Label,
  Requester,
  Resource,
} from '@countersign/contract'

export interface TaskFacts {
  /** It makes a plain document that was not there, or writes one again that this task made and nobody changed since. */
  readonly fresh: boolean
  /** It writes a plain document whose path stands, to the byte, in the operator's own words to this run. */
  readonly named: boolean
  /** A plain look at the web by which nothing of the operator's can leave. */
  readonly look: boolean
  /** A question for a reader, in the operator's own words of this task or written by who knew only these. */
  readonly question: boolean
  /** The reading of the operator's words that has the question, where they did not say it themselves. */
  readonly listed: string | null
  /** A plain look of a reader, which knows nothing but a question that was let out. */
  readonly reader: boolean
  /** The wish in the operator's words that it fulfils, as a plan of them lists it. */
  readonly asked: AskedFact | null
  /** The reading of the operator's words by which nobody asked for such an act. It is held where it would ask. */
  readonly unasked: string | null
}

export interface AskedFact {
  readonly plan: string
  /** Its place in the plan. */
  readonly item: number
  /** How many times it does what was asked for. */
  readonly count: number
  /** What was asked for, such as `change files in notes`. */
  readonly words: string
}

export function isExpectedWrite({ fresh, named }: TaskFacts): boolean {
  return fresh || named
}

/** What a model that was told nothing else found in the operator's words. It lowers nothing by itself. */
export interface AskedPlan {
  readonly id: string
  readonly items: readonly AskedItem[]
  /** All kinds of acts that were asked for; null where that could not be read. */
  readonly kinds: readonly ActKind[] | null
  /** How many calls ran for each. */
  readonly used: readonly number[]
  /** What would have to be looked up for the words. */
  readonly questions: readonly string[]
  /** Those of them that no call of the task asked yet. */
  readonly questionsLeft: readonly string[]
}

/** What the kernel recorded of the task so far. */
export interface TaskSoFar {
  /** The documents that calls of the task made, with the digest of what the last of them left. */
  readonly made: ReadonlyMap<string, string>
  /** The operator's own words. */
  readonly said: readonly string[]
  /** Those of them that this run answers. What was named for an earlier message was named for that one. */
  readonly saidNow: readonly string[]
  /** Paths of the workspace that its calls were at before anything untrusted was read: no stranger led there. */
  readonly chosen: ReadonlySet<string>
  /** How many writes ran in it for such a fact. */
  readonly writes: number
  /** What came back from the web, with the arguments of the call that brought it. */
  readonly read: readonly { readonly args: string; readonly text: string }[]
  /** Hosts from which something came back. */
  readonly visited: ReadonlySet<string>
  /** How many looks ran in it for such a fact, a reader's among them. */
  readonly looks: number
  /** How many readers were opened in it for the operator's own words. */
  readonly questions: number
  /** What the words to this run ask for; null where nobody listed it, or it was taken back. */
  readonly plan: AskedPlan | null
  /** How many calls ran in it because they were asked for. */
  readonly asked: number
  /** It reached the operator's own network, whose answers are nobody's to pass on. */
  readonly wasInside: boolean
}

/** A program can make several documents at once. */
export function writesOf(resources: readonly Resource[]): number {
  return resources.filter((resource) => resource.type === 'file' && resource.op === 'write').length
}

/** After a call that touches these ran for these facts. */
export function withOne(soFar: TaskSoFar, facts: TaskFacts, resources: readonly Resource[]): TaskSoFar {
  const { asked } = facts
  const plan = soFar.plan && {
    ...soFar.plan,
    used: soFar.plan.used.map((used, item) => (asked?.item === item ? used + asked.count : used)),
  }
  return {
    ...soFar,
    plan,
    writes: soFar.writes + (isExpectedWrite(facts) ? writesOf(resources) : 0),
    looks: soFar.looks + Number(facts.look),
    questions: soFar.questions + Number(facts.question),
    asked: soFar.asked + (asked?.count ?? 0),
  }
}

export interface CallInTask {
  readonly tool: { readonly name: string }
  readonly args: JsonObject
  readonly effects: readonly Effect[]
  readonly resources: readonly Resource[]
  readonly label: Label
  readonly requester: Requester
  readonly unattended: boolean
  /** Made in the operator's own conversation, and not in work that was handed on. */
  readonly firstHand: boolean
  /** Made by a reader, as the kernel's row of the run says. */
  readonly inReader: boolean
  /** Names of the secrets that go along, and those of them whose use is a use of what is the operator's. */
  readonly secrets: readonly string[]
  readonly uses: readonly string[]
}

/** In the operator's own conversation, while they are there. */
export function isOwnCall({ requester, unattended, firstHand }: CallInTask): boolean {
  return requester.kind === 'operator' && firstHand && !unattended
}
