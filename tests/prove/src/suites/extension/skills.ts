/** Owns how a skill is made, let in, reviewed and used in the bench, as the operator's own terminal would ask for it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { InstalledSkill, JsonObject } from '@countersign/contract'
import {
  filesInFolder,
  type SkillFiles,
  skillChanges,
  skillFile,
  skillReport,
  treeFilesOf,
} from '@countersign/contract/skills'
import { skillNamed } from '@countersign/tools'
import { type ExtensionBench, isOk, type Told, textOf } from './bench.ts'

export interface Words {
  readonly description?: string
  /** Lines of front matter beside the name and the description. */
  readonly head?: string
  readonly body?: string
}

export function skillText(
  name: string,
  { description = 'Writes letters.', head = '', body = 'Be short.' }: Words,
) {
  return `---\nname: ${name}\ndescription: ${description}\n${head}---\n${body}\n`
}

/** A folder with these files. `SKILL.md` comes of the words where it is not among them. */
export function skillFolder(
  bench: ExtensionBench,
  name: string,
  files: Readonly<Record<string, string>> = {},
  words: Words = {},
): string {
  const folder = join(bench.folder(), name)
  for (const [path, text] of Object.entries({ [skillFile]: skillText(name, words), ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

export async function filesOf(folder: string): Promise<SkillFiles> {
  const found = await filesInFolder(folder)
  if (found.kind === 'refused') throw new Error(found.reason)
  return found.files
}

/** What the card of these files shows. */
export function shownOf(name: string, files: SkillFiles): JsonObject {
  return {
    name,
    files: treeFilesOf(files),
    text: Buffer.from(files.get(skillFile)?.bytes ?? []).toString(),
    report: skillReport(files),
  }
}

/** `before` are the files that it takes the place of. */
export async function wishOf(
  bench: ExtensionBench,
  name: string,
  folder: string,
  before?: SkillFiles,
): Promise<JsonObject> {
  const files = await filesOf(folder)
  const replaces = before ? replacing(bench, name, skillChanges(before, files)) : null
  return {
    ...shownOf(name, files),
    from: folder,
    source: 'a trial',
    signature: null,
    alsoSigned: [],
    replaces,
  }
}

/** What an update says of what is there. */
export function replacing(bench: ExtensionBench, name: string, changes: string) {
  const { tree, source, publisher = null } = entryOf(bench, name)
  return { tree, changes, source, publisher }
}

/** Throws where it is not let in. */
export async function letInSkill(bench: ExtensionBench, name: string, folder: string): Promise<SkillFiles> {
  expectOk(await bench.ask('add_skill', await wishOf(bench, name, folder)))
  return filesOf(folder)
}

export async function reviewSkill(bench: ExtensionBench, name: string, files: SkillFiles): Promise<void> {
  expectOk(await bench.ask('review_skill', shownOf(name, files)))
}

export function keptSkill(bench: ExtensionBench, name: string): InstalledSkill | undefined {
  return skillNamed(bench.executor().extensions.current(), name)
}

export function entryOf(bench: ExtensionBench, name: string): InstalledSkill {
  const skill = keptSkill(bench, name)
  if (!skill) throw new Error(`no skill ${name}`)
  return skill
}

function expectOk(told: Told): void {
  if (!isOk(told)) throw new Error(`The skill was not let in: ${textOf(told)}`)
}
