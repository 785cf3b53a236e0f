/** Owns what the system says about processes: their time on the processor and their memory. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessGroup {
  /** Processor seconds so far, with those of children that have ended. */
  cpuSeconds(): number
  /** Proportional set size: shared pages are counted once, in parts. */
  pssMegabytes(): number
  pids(): number[]
  /** The words with which each was started. */
  commands(): string[][]
}

const ticksPerSecond = 100

/** A process with all its descendants, but without the subtrees named. Looked up anew at every call. */
export function processGroup(root: number, without: () => readonly number[] = () => []): ProcessGroup {
  const pids = () => descendants(root, new Set(without()))
  return {
    pids,
    commands: () => pids().map((pid) => read(`/proc/${pid}/cmdline`)?.split('\0').slice(0, -1) ?? []),
    cpuSeconds: () => sum(pids().map(ticksOf)) / ticksPerSecond,
    pssMegabytes: () => sum(pids().map(pssKilobytesOf)) / 1_024,
  }
}

/** Of all these together, where the last word of the command is this one. */
export function pssOfCommand(pids: readonly number[], lastWord: string): number {
  return sum(ofCommand(pids, lastWord).map(pssKilobytesOf)) / 1_024
}

/** Of those, what they share with nobody. */
export function privateOfCommand(pids: readonly number[], lastWord: string): number {
  return sum(ofCommand(pids, lastWord).map(privateKilobytesOf)) / 1_024
}

function ofCommand(pids: readonly number[], lastWord: string): number[] {
  return pids.filter((pid) => read(`/proc/${pid}/cmdline`)?.split('\0').at(-2) === lastWord)
}

/** Processor seconds of each group over the work. */
export async function cpuDuring<Name extends string>(
  groups: Readonly<Record<Name, ProcessGroup>>,
  work: () => Promise<unknown>,
): Promise<Record<Name, number>> {
  const names = Object.keys(groups) as Name[]
  const before = names.map((name) => groups[name].cpuSeconds())
  await work()
  return Object.fromEntries(
    names.map((name, index) => [name, groups[name].cpuSeconds() - (before[index] ?? 0)]),
  ) as Record<Name, number>
}

function descendants(root: number, without: ReadonlySet<number>): number[] {
  const children = Map.groupBy(allProcesses(), (one) => one.parent)
  const found: number[] = []
  const open = [root]
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    if (without.has(pid)) continue
    found.push(pid)
    open.push(...(children.get(pid) ?? []).map((one) => one.pid))
  }
  return found
}

function allProcesses(): { pid: number; parent: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const fields = statOf(Number(name))
      return fields ? [{ pid: Number(name), parent: Number(fields[1]) }] : []
    })
}

/** Fields after the name in brackets, which may itself hold spaces: state, parent, … */
function statOf(pid: number): string[] | undefined {
  const stat = read(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** User and system time, its own and of children that it has waited for. */
function ticksOf(pid: number): number {
  return sum((statOf(pid) ?? []).slice(11, 15).map(Number))
}

function pssKilobytesOf(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? 0)
}

function privateKilobytesOf(pid: number): number {
  const rollup = read(`/proc/${pid}/smaps_rollup`) ?? ''
  return sum([...rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)].map(([, size]) => Number(size)))
}

/** A process that has ended meanwhile has nothing to say. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
