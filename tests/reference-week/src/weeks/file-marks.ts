/** Owns what a call brings into its run and leaves on files, by the rules of the kernel. */
import { foreignFolderOf, joinLabels, type Label, operatorLabel } from '@countersign/contract'
import {
  labelOfFiles,
  marksSeen,
  mayWriteAnywhere,
  scopesOf,
  unseenBy,
  writtenBy,
} from '@countersign/kernel/file-labels'
import type { JudgedCall } from '../call.ts'
import { secretsOf } from '../judge.ts'
import type { SourceCall } from './source.ts'
import type { KnownTools, Told } from './world.ts'

export interface Mark {
  readonly path: string
  readonly label: Label
}

type DoneCall = Pick<JudgedCall, 'tool' | 'args' | 'effects' | 'resources'> & {
  readonly source: Pick<SourceCall, 'failed'>
}

const ofSecret: Label = { ...operatorLabel, confidentiality: 'private' }

/** As the kernel joins it at the end of a call: `dispatch/execute-permits.ts`. */
export function broughtBy(call: DoneCall, told: Told, tools: KnownTools, marks: readonly Mark[]): Label {
  const tool = tools.find(call.tool)
  if (!tool) return operatorLabel
  const unseen = unseenBy(call.resources, { marks, own: [] })
  // The executor hides all that the permit says: no file of the weeks has a second name.
  const seen = marksSeen(marks, unseen, { found: [], changed: [], hidden: unseen.hidden })
  const read = labelOfFiles(scopesOf(touchedBy(call, tools), told.files), { marks: seen, own: [] })
  return [told.label, read, secretsOf(call).length > 0 ? ofSecret : null].reduce<Label>(
    (label, one) => (one ? joinLabels(label, one) : label),
    tool.output,
  )
}

/** As `keepLabels` of `dispatch/file-labels.ts` does it in the database. */
export function keptMarks(
  marks: readonly Mark[],
  call: DoneCall,
  told: Told,
  label: Label,
  tools: KnownTools,
): Mark[] {
  const touched = touchedBy(call, tools)
  const written = writtenBy(touched)
  const left = call.source.failed ? [...marks] : marks.filter(({ path }) => !written.includes(path))
  if (label.integrity !== 'untrusted' && label.confidentiality !== 'secret') return left
  const changed = mayWriteAnywhere(touched) ? (told.files?.changed ?? ['.']) : []
  const fresh = [...new Set([...written, ...changed])].filter((path) => !isPackage(path))
  return [...left.filter(({ path }) => !fresh.includes(path)), ...fresh.map((path) => ({ path, label }))]
}

/** What a program changed is marked when it is taken over; a program covers no marks. */
export function programMarks(
  marks: readonly Mark[],
  { resources }: Pick<JudgedCall, 'resources'>,
  label: Label,
): Mark[] {
  if (label.integrity !== 'untrusted' && label.confidentiality !== 'secret') return [...marks]
  const fresh = writtenBy({ resources: [...resources], sandbox: '' }).filter((path) => !isPackage(path))
  return [...marks.filter(({ path }) => !fresh.includes(path)), ...fresh.map((path) => ({ path, label }))]
}

function touchedBy({ resources, tool }: DoneCall, tools: KnownTools) {
  const definition = tools.find(tool)
  const profile = definition && 'sandbox' in definition ? String(definition.sandbox) : ''
  return { resources: [...resources], sandbox: `${profile}:` }
}

/** Packages are never trusted by themselves, so no mark is put on them. */
const isPackage = (path: string) => foreignFolderOf(path)?.kind === 'packages'
