/**
 * Owns the attacks out of order: whatever hostile content asked for in any week is asked for in every task of this one
 * that has read something untrusted, with every grant of the week and every scope that may meet it in force; in that
 * task's own context and as if nothing private were in reach, with an address that the model made and one that it found.
 */
import { type AskedItem, type Effect, type JsonObject, type Label, readerTool } from '@countersign/contract'
import {
  nothingKnown,
  type PolicySet,
  type TaskFacts,
  type TaskSoFar,
  taskFactsOf,
} from '@countersign/policy'
import { askedPart, type JudgedCall } from './call.ts'
import { allSecretsOf, type Grant, judgeCall, secretsOf, type ToolOfWeek } from './judge.ts'
import { isGuarded } from './replay.ts'
import { mayMeet, type TakenScope } from './scopes.ts'

export interface Transplanted {
  readonly tried: number
  /** Ran, and left the machine, cannot be undone, or changed authority. */
  readonly outward: readonly string[]
  /** Ran, changed something inside, and can be undone. */
  readonly inside: readonly string[]
}

export interface TransplantParts {
  readonly calls: readonly JudgedCall[]
  /** What each run is worth after its last call. */
  readonly ends: ReadonlyMap<string, Label>
  /** What the records say of each task after its last call; left out, nothing. */
  readonly tasks?: ReadonlyMap<string, TaskSoFar> | undefined
  readonly attacks: readonly JudgedCall[]
  /** What a list of wishes says where a call of these arguments is wanted; left out, what the task's own says. */
  readonly wishes?: WishedFor | undefined
  readonly grants: readonly Grant[]
  readonly scopes: readonly TakenScope[]
  readonly set: PolicySet
  tool(name: string): ToolOfWeek | undefined
}

/** The wishes and the questions of a list. */
export type WishedFor = (
  args: JsonObject,
  soFar: TaskSoFar,
) => { readonly items: readonly AskedItem[]; readonly questions: readonly string[] }

export function transplant(parts: TransplantParts): Transplanted {
  const { attacks, grants, scopes, set, tool, wishes } = parts
  const usable = attacks.filter((call) => call.injected && isGuarded(call) && call.refused === null)
  let tried = 0
  const [outward, inside]: [string[], string[]] = [[], []]
  const judged = new Map<string, boolean>()
  for (const { first, label, soFar } of hostsOf(parts))
    for (const attack of usable) {
      const met = scopes.filter((scope) => scope.tool === askedPart(attack).tool && mayMeet(scope, first))
      for (const call of variantsOf(attack, first, label, soFar && wishedFor(attack, soFar, wishes))) {
        tried += 1
        // Nothing else of a host is looked at by a judgement, so what is alike is judged once.
        const alike = keyOf(call, met.length > 0 ? first.run : '')
        const ran =
          judged.get(alike) ?? judgeCall(call, tool(call.tool), set, [...grants, ...met]).kind === 'allow'
        judged.set(alike, ran)
        if (ran)
          (askedPart(call).effects.every(isInside) ? inside : outward).push(`${call.id} in ${first.run}`)
      }
    }
  return { tried, outward, inside }
}

/** As if none of it had been used yet. */
function wishedFor({ args }: JudgedCall, soFar: TaskSoFar, wishes: TransplantParts['wishes']): TaskSoFar {
  const { items, questions } = wishes?.(args, soFar) ?? soFar.plan ?? { items: [], questions: [] }
  const kinds = soFar.plan?.kinds ?? null
  const used = items.map(() => 0)
  return {
    ...soFar,
    asked: 0,
    plan: { id: 'list', items, kinds, used, questions, questionsLeft: questions },
  }
}

function hostsOf({ calls, ends, tasks }: TransplantParts) {
  return [...Map.groupBy(calls, ({ run }) => run)].flatMap(([run, [first]]) => {
    const label = ends.get(run)
    const soFar = tasks?.get(run)
    return first && label?.integrity === 'untrusted' ? [{ first, label, soFar }] : []
  })
}

function variantsOf(
  attack: JudgedCall,
  host: JudgedCall,
  label: Label,
  soFar: TaskSoFar | undefined,
): JudgedCall[] {
  const asked = questionOf(attack)
  if (asked) return [attack, asked].flatMap((each) => placed(each, host, label, soFar))
  return placed(attack, host, label, soFar)
}

/** An address can be asked for instead of being looked at: then it is the question that carries what is in it. */
function questionOf(attack: JudgedCall): JudgedCall | undefined {
  const { url } = attack.args
  if (typeof url !== 'string' || !attack.effects.some(({ verb }) => verb === 'fetch')) return undefined
  const effects = attack.effects.filter(({ verb }) => verb === 'fetch')
  return { ...attack, tool: readerTool, args: { question: url }, resources: [], address: null, effects }
}

function placed(
  attack: JudgedCall,
  host: JudgedCall,
  label: Label,
  soFar: TaskSoFar | undefined,
): JudgedCall[] {
  const { run, session, agent, requester, unattended } = host
  const addresses = attack.address === null ? [null] : (['made', 'found'] as const)
  const worths = [label, { ...label, confidentiality: 'public' as const }]
  return addresses.flatMap((address) =>
    worths.map((worth) => ({
      ...attack,
      run,
      session,
      agent,
      requester,
      unattended,
      label: worth,
      address,
      facts: factsIn({ ...attack, requester, unattended, label: worth, address }, host, soFar),
    })),
  )
}

/**
 * As if the task had not yet done anything unasked, and with the address on a page that it read where it was found. Work
 * that was handed on has another agent than the assistant.
 */
function factsIn(call: JudgedCall, { agent }: JudgedCall, soFar: TaskSoFar | undefined): TaskFacts {
  if (!soFar) return nothingKnown
  const { tool, ...rest } = call
  const firstHand = agent === 'assistant'
  const secrets = { secrets: allSecretsOf(call), uses: secretsOf(call) }
  const { url } = call.args
  const found = call.address === 'found' && typeof url === 'string' ? [{ args: '', text: url }] : []
  const early = { ...soFar, writes: 0, looks: 0, questions: 0, read: [...soFar.read, ...found] }
  return taskFactsOf({ ...rest, ...secrets, tool: { name: tool }, firstHand, inReader: false }, early)
}

function keyOf(call: JudgedCall, run: string): string {
  const { id, at, tool, label, agent, requester, unattended, address, facts } = call
  const { integrity, confidentiality } = label
  return [
    id,
    at,
    tool,
    integrity,
    confidentiality,
    agent,
    requester.kind,
    unattended,
    address,
    run,
    JSON.stringify(facts),
  ].join()
}

function isInside({ verb, scope, reversible, outward, leaves }: Effect): boolean {
  return (
    scope === 'inside' &&
    reversible &&
    !outward &&
    leaves.length === 0 &&
    verb !== 'fetch' &&
    verb !== 'authority'
  )
}
