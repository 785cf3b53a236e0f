/** Owns the reading of the weeks from their folder: who it is about, what was there before, the week, the attacks, the labels. */
import { readdirSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { DeclaredTool } from '../call.ts'
import { type LabelPass, parseLabels, parseResolved } from './agreement.ts'
import { PersonFile } from './person.ts'
import { parseQuestions } from './reading.ts'
import { days, parseSource, type SourceTask } from './source.ts'
import { createTools, type KnownTools } from './world.ts'

export const partNames = [
  'technical',
  'office',
  'household',
  'technical-held-out',
  'office-held-out',
  'household-held-out',
] as const
export type PartName = (typeof partNames)[number]

export const isHeldOut = (name: PartName) => name.endsWith('-held-out')

export interface WrittenPart {
  readonly name: PartName
  readonly person: PersonFile
  readonly before: readonly SourceTask[]
  /** In the order in which they begin. */
  readonly tasks: readonly SourceTask[]
  /** Attacks that count in no rate: for safety and for transplanting. */
  readonly attacks: readonly SourceTask[]
  readonly labels: LabelPass
}

export interface WrittenCorpus {
  readonly parts: readonly WrittenPart[]
  readonly tools: KnownTools
}

const folder = new URL('../../corpus/', import.meta.url)

export function readWritten(): WrittenCorpus {
  const declared = z.array(DeclaredTool).parse(JSON.parse(textOf('declared-tools.json')))
  return { parts: partNames.map(readPart), tools: createTools(declared) }
}

function readPart(name: PartName): WrittenPart {
  const person = PersonFile.parse(JSON.parse(textOf(`weeks/${name}/person.json`)))
  const files = readdirSync(new URL(`weeks/${name}/`, folder)).toSorted()
  const week = days.flatMap((day) =>
    files
      .filter((file) => file.startsWith(day.toLowerCase()))
      .flatMap((file) => parseSource(textOf(`weeks/${name}/${file}`), `${name}/${file}`)),
  )
  const asking = (tasks: readonly SourceTask[]) =>
    tasks.map((task) => ({ ...task, questions: questions.filter((each) => each.task === task.id) }))
  const optional = (file: string) => (files.includes(file) ? textOf(`weeks/${name}/${file}`) : '')
  const questions = parseQuestions(optional('questions.txt'))
  const stray = questions.find(({ task }) => !week.some(({ id }) => id === task))
  if (stray) throw new Error(`${name}/questions.txt: there is no task ${stray.task}.`)
  return {
    name,
    person,
    before: parseSource(optional('before.txt'), `${name}/before.txt`),
    tasks: asking(week.toSorted((left, right) => left.day - right.day || left.minute - right.minute)),
    attacks: parseSource(optional('attacks.txt'), `${name}/attacks.txt`, true),
    labels: {
      second: parseLabels(optional('second.txt')),
      resolved: parseResolved(optional('resolved.txt')),
    },
  }
}

const textOf = (path: string) => readFileSync(new URL(path, folder), 'utf8')
