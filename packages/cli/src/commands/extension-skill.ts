/**
 * Owns the part of `countersign extension` that is about skills: finding their files, showing what would change, and asking for
 * it. What the card shows is made here, and made again by the executor from the files themselves.
 */
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { InstalledSkill } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { sha256Hex, treeHash } from '@countersign/contract/node'
import {
  keyFingerprint,
  longestChanges,
  readSignature,
  type SkillFiles,
  signedText,
  skillChanges,
  skillFile,
  skillReport,
  textIn,
  treeFilesOf,
} from '@countersign/contract/skills'
import type { Context, Handler, OptionValues } from '../context.ts'
import { isRepository, skillAt } from '../extension-indexes/skill-place.ts'
import { type CommandAnswer, done, failed } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { line, lines } from '../output/safe-text.ts'
import { settledDirectRun } from './direct-run.ts'
import { pinnedAnswer } from './extension-pinned.ts'
import { originWords } from './skill-origin-words.ts'

export async function skillNamed(client: Client, name: string): Promise<InstalledSkill | undefined> {
  return (await client.extensions()).skills.find((skill) => skill.name === name)
}

export function briefOfSkill({ name, enabled, reviewed, files, source, pinned }: InstalledSkill) {
  const state = enabled ? (reviewed ? 'on, reviewed' : 'on, not reviewed') : 'paused'
  return { name, state: pinned ? `${state}, pinned` : state, files: files.length, from: source }
}

export function findingsOfSkill({
  enabled,
  reviewed,
  files,
  allowedTools,
  writtenBy,
  servedBy,
}: InstalledSkill): string[] {
  const scripts = files.filter(
    ({ path, executable }) => executable || /\.(?:py|sh|bash|js|mjs|cjs)$/i.test(path),
  )
  return [
    ...(enabled ? [] : ['is paused']),
    ...(writtenBy || servedBy ? [`was ${originWords({ writtenBy, servedBy })}`] : []),
    ...(reviewed ? ['is reviewed: its words are marked as a stranger’s no more'] : []),
    ...(scripts.length > 0 ? [`has scripts: ${scripts.map(({ path }) => path).join(', ')}`] : []),
    ...(allowedTools === null ? [] : [`wants to be done with: ${allowedTools.join(', ') || 'no tools'}`]),
  ]
}

export async function showSkill(
  context: Context,
  client: Client,
  skill: InstalledSkill,
  { file }: OptionValues,
): Promise<CommandAnswer> {
  if (typeof file === 'string') {
    const text = await textOfFile(context, client, skill, file)
    return typeof text === 'string' ? done({ file, text }, () => lines(text)) : text
  }
  return done({ skill }, () =>
    [
      `${context.paint('strong', line(skill.name))}  ${briefOfSkill(skill).state}`,
      indent(
        columns([
          ['Is for', line(skill.description)],
          ['From', line(skill.source)],
          ...(skill.writtenBy ? [['Origin', line(originWords(skill))]] : []),
          ['Signed by', skill.publisher === undefined ? 'nobody' : keyFingerprint(skill.publisher)],
          ['Tree', `${skill.tree.slice(0, 16)}…`],
          ['Tools', skill.allowedTools === null ? 'it does not say' : line(skill.allowedTools.join(', '))],
        ]),
      ),
      '',
      context.paint('strong', 'Files'),
      indent(
        columns(
          skill.files.map(({ path, size, sha256, executable }) => [
            line(path),
            `${size} B${executable ? ', can be run' : ''}`,
            `${sha256.slice(0, 16)}…`,
          ]),
        ),
      ),
      '',
      `Read one with \`countersign extension show ${line(skill.name)} --file ${skillFile}\`.`,
    ].join('\n'),
  )
}

/** `--skill`, with the `--commit` that was said beside it. */
export function placeOf(skill: string, { commit }: OptionValues): string {
  return typeof commit === 'string' ? `${skill}#${commit}` : skill
}

interface SkillWish {
  readonly name: string
  readonly place: string
  /** The key by which it has to be signed. */
  readonly publisher?: string | undefined
  readonly isNew: boolean
}

export async function addSkill(
  context: Context,
  client: Client,
  { name, place, publisher, isNew }: SkillWish,
): Promise<CommandAnswer> {
  const command = isNew ? 'extension add' : 'extension update'
  const before = await skillNamed(client, name)
  if (isNew && before)
    return usage(
      `There is a skill ${line(name)} already. Change it with \`countersign extension update ${line(name)} --skill ${line(place)}\`.`,
      command,
    )
  if (!isNew && !before) return usage(`There is no skill ${line(name)}. Add it first.`, command)
  if (before?.pinned) return pinnedAnswer(name, command)
  if (isRepository(place)) context.working(`Fetching ${line(place)}…`)
  const found = await skillAt(place, name, context.host.runProgram)
  if (typeof found === 'string') return usage(found, command)
  const { files, folder, source, signature } = found
  const signed = await signedFacts(client, name, { files, signature, wanted: publisher })
  if (typeof signed === 'string') return usage(signed, command)
  let replaces: object | null = null
  if (before) {
    const was = await filesKept(context, client, before, files)
    if ('kind' in was) return was
    const changes = skillChanges(was, files)
    replaces = { tree: before.tree, changes, source: before.source, publisher: before.publisher ?? null }
    if (changes.length > longestChanges)
      return usage('More differs than can be read on one card. Remove the skill and add it anew.', command)
  }
  const from = folder ?? (await written(files, name))
  if (folder === undefined)
    context.note(`Its files wait in ${line(from)}; you can delete them when this is decided.`)
  return made(context, client, 'add_skill', {
    name,
    ...shownOf(files),
    from,
    source,
    ...signed,
    replaces,
  })
}

/** A text says what is wrong. */
async function signedFacts(
  client: Client,
  name: string,
  {
    files,
    signature,
    wanted,
  }: { readonly files: SkillFiles; readonly signature: string | null; readonly wanted: string | undefined },
): Promise<{ readonly signature: string | null; readonly alsoSigned: readonly string[] } | string> {
  if (signature === null)
    return wanted === undefined
      ? { signature, alsoSigned: [] }
      : 'It is not signed, and has to be by the key that was named.'
  const read = readSignature(signature, signedText(name, treeHash(treeFilesOf(files))))
  if (read.kind === 'refused') return `The signature of its publisher is refused. ${read.reason}`
  if (wanted !== undefined && wanted !== read.key)
    return `It is signed by ${keyFingerprint(read.key)}, and has to be by ${keyFingerprint(wanted)}.`
  const { skills } = await client.extensions()
  const others = skills.filter((each) => each.publisher === read.key && each.name !== name)
  return { signature, alsoSigned: others.map((each) => each.name) }
}

/** `countersign extension hash`: what the publisher of a skill signs. Asks nobody. */
export const hash: Handler = async (context, [name = ''], options) => {
  const { skill: place } = options
  if (typeof place !== 'string') return usage('Name the files with --skill.', 'extension hash')
  const found = await skillAt(placeOf(place, options), name, context.host.runProgram)
  if (typeof found === 'string') return usage(found, 'extension hash')
  const tree = treeHash(treeFilesOf(found.files))
  return done({ tree, text: signedText(name, tree) }, () => signedText(name, tree).trimEnd())
}

/** `countersign extension diff`: what differs between the files of a skill and those that are let in. Asks for nothing. */
export const diff: Handler = async (context, [name = ''], options) => {
  const { skill: place } = options
  if (typeof place !== 'string') return usage('Name the files with --skill.', 'extension diff')
  const { client } = await context.gateway()
  const before = await skillNamed(client, name)
  if (!before) return usage(`There is no skill ${line(name)}.`, 'extension diff')
  const found = await skillAt(placeOf(place, options), name, context.host.runProgram)
  if (typeof found === 'string') return usage(found, 'extension diff')
  const was = await filesKept(context, client, before, found.files)
  if ('kind' in was) return was
  const changes = skillChanges(was, found.files)
  const report = skillReport(found.files)
  return done({ changes, report }, () =>
    changes === '' ? 'Nothing differs.' : lines([changes, '', 'Report:', ...report].join('\n')),
  )
}

export const review: Handler = async (context, [name = '']) => {
  const { client } = await context.gateway()
  const skill = await skillNamed(client, name)
  if (!skill) return usage(`There is no skill ${line(name)}.`, 'extension review')
  const files = await filesKept(context, client, skill, new Map())
  if ('kind' in files) return files
  return made(context, client, 'review_skill', { name, ...shownOf(files), files: skill.files })
}

export function shownOf(files: SkillFiles) {
  const main = files.get(skillFile)
  return {
    files: treeFilesOf(files),
    text: main ? (textIn(main.bytes) ?? '') : '',
    report: skillReport(files),
  }
}

/** An archive is unpacked by us, so that what is let in is what was looked at. */
export async function written(files: SkillFiles, name: string): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'countersign-skill-')), name)
  for (const [path, { bytes, executable }] of files) {
    const at = join(folder, path)
    await mkdir(dirname(at), { recursive: true })
    await writeFile(at, bytes, { flag: 'wx' })
    await chmod(at, executable ? 0o755 : 0o644)
  }
  return folder
}

/** What is let in, as the executor gives it. Those that are the same in `like` are not asked for. */
export async function filesKept(
  context: Context,
  client: Client,
  skill: KeptFiles & { readonly enabled?: boolean },
  like: SkillFiles,
): Promise<SkillFiles | CommandAnswer> {
  if (skill.enabled === false)
    return usage(`The skill ${line(skill.name)} is paused. Resume it first.`, 'extension resume')
  const files = new Map<string, { readonly bytes: Uint8Array; readonly executable: boolean }>()
  for (const { path, sha256, executable } of skill.files) {
    const same = like.get(path)
    if (same && sha256Hex(same.bytes) === sha256) files.set(path, { bytes: same.bytes, executable })
    else {
      const text = await textOfFile(context, client, skill, path)
      if (typeof text !== 'string') return text
      const bytes = Buffer.from(text)
      if (sha256Hex(bytes) !== sha256) return unreadable(skill.kind ?? 'skill', skill.name, path)
      files.set(path, { bytes, executable })
    }
  }
  return files
}

const partLength = 60_000

type FilesOf = 'skill' | 'plugin' | 'proposal'

interface KeptFiles extends Pick<InstalledSkill, 'name' | 'files'> {
  readonly kind?: FilesOf
}

export async function textOfFile(
  context: Context,
  client: Client,
  { name, files, kind = 'skill' }: KeptFiles,
  path: string,
): Promise<string | CommandAnswer> {
  const file = files.find((each) => each.path === path)
  if (!file) return usage(`The ${kind} ${line(name)} has no file ${line(path)}.`, 'extension show')
  let text = ''
  // Characters are no more than bytes.
  for (let offset = 0; offset === 0 || offset < file.size; offset += partLength) {
    const answer = await made(context, client, ...reading(kind, name, { path, offset }))
    const said = saidBy(answer)
    if (said === undefined) return answer.kind === 'failed' ? answer : unreadable(kind, name, path)
    const more = /\n\[\d+ characters more, from offset \d+\]$/.exec(said)
    text += more && said.length > partLength ? said.slice(0, more.index) : said
    if (!more || said.length <= partLength) break
  }
  return text
}

function reading(
  kind: FilesOf,
  name: string,
  part: { readonly path: string; readonly offset: number },
): readonly [string, object] {
  return kind === 'proposal'
    ? ['read_proposed_skill', { name, ...part }]
    : [`read_${kind}_file`, { [kind]: name, ...part }]
}

function saidBy(answer: CommandAnswer): string | undefined {
  if (answer.kind !== 'done') return undefined
  const { calls } = answer.data as {
    readonly calls?: readonly { readonly result?: string; readonly outcome?: string }[]
  }
  const [call] = calls ?? []
  return call?.outcome === 'ok' ? call.result : undefined
}

function unreadable(kind: FilesOf, name: string, path: string): CommandAnswer {
  const waiting = kind === 'proposal' ? ' --waiting' : ''
  return failed({
    type: 'tool_failed',
    message: `${line(path)} of the ${kind} ${line(name)} cannot be shown, as it is no text or holds a secret of yours.`,
    next: `Remove it with \`countersign extension remove ${line(name)}${waiting}\` and add it anew.`,
    exit: 1,
  })
}

export async function made(
  context: Context,
  client: Client,
  tool: string,
  args: object,
): Promise<CommandAnswer> {
  return settledDirectRun(context, client, await client.callTool(tool, JSON.stringify(args)))
}
