/**
 * Owns one flow: words come in from somewhere, go from run to run by a few hops, and a call is made at the end. The
 * label of that call, as its permit or its request bound it, must be worth no more than all that went in.
 */
import {
  confidentialityOrder,
  integrityOrder,
  joinLabels,
  Label,
  operatorLabel,
  type SessionId,
} from '@countersign/contract'
import { withIds } from '../adversary/ids.ts'
import type { AdversaryInstallation, Script } from '../adversary/installation.ts'
import { sightOf, turnOf } from '../adversary/sight.ts'
import type { TaskTurn } from '../adversary/task.ts'
import type { Hop, HopContext } from './hop.ts'
import type { Source } from './sources.ts'

export interface Flow {
  readonly mark: string
  /** What comes into the first run, and what into later ones: by the number of the run. */
  readonly sources: readonly { readonly source: Source; readonly run: number }[]
  readonly hops: readonly Hop[]
}

export interface FlowResult {
  readonly wanted: Label
  readonly found: Label | null
  /** Why nothing can be said about the label. */
  readonly problem: string | null
  /** A hop kept the words back, as it may. */
  readonly stopped: boolean
}

export function nameOf({ sources, hops }: Flow): string {
  return [
    ...sources.map(({ source, run }) => `${source.name} in run ${run}`),
    ...hops.map(({ name }) => name),
  ].join(' > ')
}

export async function flow(installation: AdversaryInstallation, plan: Flow): Promise<FlowResult> {
  const { mark } = plan
  const words = `word-${mark}z please obey`
  for (const [index, { source }] of plan.sources.entries())
    source.lay(installation, `${mark}s${index}`, words)
  const marks = [...plan.hops, null].map((_, run) => `${mark}r${run}`)
  const ways = plan.hops.map(
    (_, run): HopContext => ({ mark: `${mark}h${run}`, words, next: `[#${marks[run + 1]}]` }),
  )
  const runs = marks.map((_, run) => turnsOf(plan, run, ways, installation.web.origin))
  const problems: string[] = []
  let stopped = false
  const first = Math.min(...plan.sources.map(({ run }) => run))
  const scripts = runs.map((turns, run) => {
    // What comes in at the beginning of a run is in its messages; what is taken comes with the results of the taking.
    const before = plan.hops[run - 1]
    const own = plan.sources.filter((each) => each.run === run).length
    const arrives = (before?.take(ways[run - 1] as HopContext).length ?? 0) + own
    const last = `It is done: word-${mark}z. ${plan.hops[run]?.isTold ? ways[run]?.next : ''}`
    return following(turns, arrives, { word: `word-${mark}z`, last }, () => {
      if (before?.mayStop) stopped = true
      else if (!stopped && run >= first) problems.push(`the words did not reach run ${run}`)
    })
  })

  let session: SessionId | undefined
  for (let run = 0; run < runs.length; ) {
    // Runs that the installation begins are part of the conversation that led to them.
    let last = run
    while (plan.hops[last]?.begins === 'itself') last += 1
    const came = plan.hops[run - 1]
    const way = ways[run - 1]
    const goesOn = came?.begins === 'on'
    const act = async () => way && session && came?.act?.(installation, { ...way, session })
    if (came?.begins === 'anew') await act()
    if (goesOn) session = sessionIn(await act()) ?? session
    const others = Object.assign(
      Object.fromEntries(
        marks.slice(run + 1, last + 1).map((each, index) => [each, scripts[run + 1 + index] as Script]),
      ),
      ...plan.sources.map(({ source }, index) => source.scripts?.(`${mark}s${index}`, words) ?? {}),
    )
    const talk = await installation.talk({
      mark: marks[run] ?? '',
      text: 'Go on.',
      script: scripts[run] as Script,
      verdict: () => 'approve',
      others,
      runs: last - run + 1,
      ...(goesOn && session !== undefined ? { session } : {}),
      ...(came?.begins === 'act' ? { begins: act } : {}),
    })
    session = talk.session
    run = last + 1
  }
  const wanted = plan.sources
    .map(({ source }): Label => ({ ...source.label, sources: [] }))
    .reduce(joinLabels, operatorLabel)
  return { wanted, found: await labelOfProbe(installation, mark), problem: problems[0] ?? null, stopped }
}

function sessionIn(given: unknown): SessionId | undefined {
  return typeof given === 'object' && given !== null && 'session' in given
    ? (given.session as SessionId)
    : undefined
}

/** What is told of a label is no better than what is wanted of it. */
export function isKept(wanted: Label, found: Label): boolean {
  return (
    integrityOrder.indexOf(found.integrity) >= integrityOrder.indexOf(wanted.integrity) &&
    confidentialityOrder.indexOf(found.confidentiality) >=
      confidentialityOrder.indexOf(wanted.confidentiality)
  )
}

function turnsOf(
  { mark, sources, hops }: Flow,
  run: number,
  ways: readonly HopContext[],
  web: string,
): readonly TaskTurn[] {
  const [before, after] = [hops[run - 1], hops[run]]
  const [came, goes] = [ways[run - 1], ways[run]]
  const own = sources.flatMap(({ source, run: where }, index) =>
    where === run ? [source.calls(`${mark}s${index}`, web)] : [],
  )
  return [
    ...(before && came ? before.take(came) : []),
    ...own,
    ...(after && goes
      ? after.put(goes)
      : [[{ name: 'write_file', args: { path: probeOf(mark), content: 'x' } }]]),
  ]
}

const probeOf = (mark: string) => `probe/${mark}`

/** One turn after the other; after so many of them the word must have been seen. */
function following(
  turns: readonly TaskTurn[],
  arrives: number,
  { word, last }: { readonly word: string; readonly last: string },
  complain: () => void,
): Script {
  return (request) => {
    const turn = turnOf(request)
    if (turn === arrives && !sightOf(request).includes(word)) complain()
    const calls = withIds(turns[turn] ?? [], request)
    return calls.length > 0 ? { text: 'Let me see.', calls } : { text: last }
  }
}

/** As the permit bound it; a call that was asked about has the same subject. */
async function labelOfProbe(installation: AdversaryInstallation, mark: string): Promise<Label | null> {
  const [found] = await installation.query<{ provenance: unknown }>(
    `select permit->'subject'->'provenance' as provenance from calls
     where tool = 'write_file' and permit is not null and args::jsonb->>'path' = $1`,
    [probeOf(mark)],
  )
  return found ? Label.parse(found.provenance) : null
}
