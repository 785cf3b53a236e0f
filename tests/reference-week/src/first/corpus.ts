/** Owns the reading of the first corpus from its files. Refuses a line that is not a labelled call. */
import { readFileSync } from 'node:fs'
import { builtinTools } from '@countersign/tools'
import { z } from 'zod'
import { DeclaredTool } from '../call.ts'
import type { ToolOfWeek } from '../judge.ts'
import {
  type CorpusFile,
  CorpusFile as CorpusShape,
  categories,
  LabelledCall,
  type Person,
  WeekRun,
} from './labelled-call.ts'

export interface Part {
  readonly person: Person
  /** In the order in which they were made. */
  readonly calls: readonly LabelledCall[]
  readonly runs: ReadonlyMap<string, WeekRun>
}

export interface Corpus {
  readonly version: number
  readonly mix: CorpusFile['mix']
  readonly week: Part
  readonly holdout: Part
  readonly declared: readonly DeclaredTool[]
  tool(name: string): ToolOfWeek | undefined
}

const folder = new URL('../../corpus/', import.meta.url)

export function readCorpus(): Corpus {
  const { version, mix, week, holdout } = CorpusShape.parse(JSON.parse(textOf('first/corpus.json')))
  const declared = z.array(DeclaredTool).parse(JSON.parse(textOf('declared-tools.json')))
  const tools = new Map<string, ToolOfWeek>()
  for (const { name, category, floor, output } of [...builtinTools, ...declared])
    tools.set(name, { name, category, floor, output })
  return {
    version,
    mix,
    week: readPart('week', week),
    holdout: readPart('holdout', holdout),
    declared,
    tool: (name) => tools.get(name),
  }
}

function readPart(name: string, person: Person): Part {
  const calls = categories.flatMap((category) => linesOf(`first/${name}/${category}.jsonl`, LabelledCall))
  const runs = linesOf(`first/${name}/runs.jsonl`, WeekRun)
  return {
    person,
    calls: calls.toSorted((left, right) => left.id.localeCompare(right.id)),
    runs: new Map(runs.map((run) => [run.id, run])),
  }
}

function linesOf<T>(path: string, shape: z.ZodType<T>): T[] {
  const lines = textOf(path).trimEnd().split('\n')
  return lines.map((line) => shape.parse(JSON.parse(line)))
}

const textOf = (path: string) => readFileSync(new URL(path, folder), 'utf8')
