/**
 * Owns the chain of who asked for a call. It is read from the rows of the run, of the runs that began it and of the
 * calls around it; a message or a model can add nothing to it.
 */
import { type Chain, type ChainLink, forDisplay, type Requester, type RunId } from '@countersign/contract'
import { ancestorsOf } from './ancestors.ts'
import { type CallRow, callsOfTurn } from './call-rows.ts'
import type { Ancestor } from './chain-names.ts'
import type { Caller, DispatchPorts } from './dispatch-ports.ts'

/** Nobody has names for these but their ids. */
const nameless: ReadonlySet<ChainLink['kind']> = new Set([
  'operator',
  'peer',
  'webhook',
  'run',
  'manual',
  'undo',
  'held',
])

/** Of a run without a model. */
const linkOfRun = { undo: 'undo', direct: 'manual', unasked: 'held' } as const

/** The chain of each of the calls. Reads outside of any transaction. */
export async function chainsOf(
  caller: Caller,
  rows: readonly CallRow[],
  ports: Pick<DispatchPorts, 'store' | 'chainNames'>,
): Promise<(row: CallRow) => Chain> {
  const { held } = caller
  caller.line ??= await lineOf(caller, ports)
  const { line } = caller
  const turns = new Set(rows.flatMap((row) => (row.parent_id === null ? [] : [row.turn])))
  const known =
    turns.size === 0
      ? []
      : await ports.store.read(held.operator, async (db) =>
          (await Promise.all([...turns].map((turn) => callsOfTurn(db, held.id, turn)))).flat(),
        )
  return (row) => [...line, ...linksAround(row, known, caller), named('tool', row.tool)]
}

/** From whoever began the work to this run, with names that people know. */
async function lineOf(
  caller: Caller,
  { store, chainNames }: Pick<DispatchPorts, 'store' | 'chainNames'>,
): Promise<Chain> {
  const { held, requester, first, agentName } = caller
  const runs = await ancestorsOf(caller, { store })
  const links = chainThrough(runs, requester, held.id).map((link) =>
    link.kind === 'agent' && link.id === first?.agent ? { ...link, name: agentName ?? link.name } : link,
  )
  const isNamed = ({ kind }: ChainLink) =>
    nameless.has(kind) || (kind === 'agent' && first !== undefined && agentName !== undefined)
  const told = links.every(isNamed) ? links : ((await chainNames?.(held.operator, links)) ?? links)
  return told
    .filter(({ kind, id, name }) => kind !== 'trigger' || name !== id)
    .map((link) => ({ ...link, name: forDisplay(link.name).text }))
}

/** The links of whoever asked, of the runs in their order, and of the run itself. Pure. */
export function chainThrough(runs: readonly Ancestor[], requester: Requester, here: RunId): ChainLink[] {
  const [first] = runs
  const links: ChainLink[] = [named(requester.kind, requester.id)]
  if (first && first.schedule !== null) links.push(named('trigger', first.key))
  const add = (link: ChainLink) => {
    if (!links.some(({ kind, id }) => kind === link.kind && id === link.id)) links.push(link)
  }
  for (const run of runs) {
    if (run.goal !== null) add(named('goal', run.goal))
    if (run.about !== null) for (const kind of aboutKinds(run.about)) add(named(kind, run.about))
    if (run.kind === 'agent') {
      if (links.findLast(({ kind }) => kind === 'agent')?.id !== run.agent)
        links.push(named('agent', run.agent))
    } else add({ kind: linkOfRun[run.kind], id: run.id, name: '' })
  }
  links.push(named('run', here))
  return links
}

/** The record that a run is done for says by its id what it is. */
function aboutKinds(about: string): ChainLink['kind'][] {
  if (about.startsWith('plan_')) return ['plan']
  return about.startsWith('occ_') || about.startsWith('feed_') ? [] : ['task']
}

/** What stands between the run and the tool: a step, a batch, tools that were made, whoever made them, an edit. Pure. */
export function linksAround(
  row: CallRow,
  known: readonly CallRow[],
  caller: Pick<Caller, 'work' | 'catalogue'>,
): ChainLink[] {
  const parents: CallRow[] = []
  for (let above = row.parent_id; above !== null; ) {
    const parent = known.find(({ id }) => id === above)
    if (parent) parents.unshift(parent)
    above = parent?.parent_id ?? null
  }
  const outermost = parents[0] ?? row
  const maker = row.requester
  return [
    ...(caller.work.agent === 'plan' ? [named('step', outermost.model_id)] : []),
    ...(maker ? [named(maker.kind, maker.id)] : []),
    ...[...parents, row].flatMap((call) => linksOf(call, caller)),
    ...(row.edited_from ? [named('edit', row.edited_from)] : []),
  ].map((link) => ({ ...link, name: forDisplay(link.name).text }))
}

/** A call without arguments of its own stands for several; one of a hidden tool may be the program of a made one. */
function linksOf({ tool, args }: CallRow, { catalogue }: Pick<Caller, 'catalogue'>): ChainLink[] {
  if (args === '') return [named('batch', tool)]
  if (catalogue.find(tool)?.hidden !== true) return []
  const { name } = JSON.parse(args) as { name?: unknown }
  return typeof name === 'string' && catalogue.find(name)?.origin ? [named('custom', name)] : []
}

function named(kind: ChainLink['kind'], id: string): ChainLink {
  return { kind, id, name: id }
}
