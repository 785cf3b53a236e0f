/**
 * Owns reading the files of a skill: each is a call through the door, as an agent's would be, and what comes back is compared with
 * the hash of the file. Refuses a skill whose files cannot be read whole.
 */
import { type InstalledSkill, skillFile, skillReport } from '@countersign/contract'
import { sha256Hex } from '../../data/digest.ts'
import { callDirectly, type DirectPorts } from '../../deciding/direct-call.ts'
import { words } from '../../words/extensions.tsx'

/** `waits`: an agent wrote it, and nobody but the operator reads it before the review. */
export type ReadableSkill = Pick<InstalledSkill, 'name' | 'files'> & { readonly waits?: true }

/** As many characters as the tool gives at once. */
const partLength = 60_000
const mostReviewedFiles = 30
const mostReviewedBytes = 400_000

/** More is reviewed in the terminal, which reads it faster than a page does. */
export function isReviewedHere({ files }: Pick<InstalledSkill, 'files'>): boolean {
  return (
    files.length <= mostReviewedFiles && files.reduce((sum, { size }) => sum + size, 0) <= mostReviewedBytes
  )
}

export async function skillText(
  ports: DirectPorts,
  { name, files, waits }: ReadableSkill,
  path: string,
): Promise<string> {
  const file = files.find((each) => each.path === path)
  let text = ''
  // Characters are no more than bytes.
  for (let offset = 0; offset === 0 || offset < (file?.size ?? 0); offset += partLength) {
    const part = waits
      ? await said(ports, 'read_proposed_skill', { name, path, offset })
      : await said(ports, 'read_skill_file', { skill: name, path, offset })
    const more = /\n\[\d+ characters more, from offset \d+\]$/.exec(part)
    text += more && part.length > partLength ? part.slice(0, more.index) : part
    if (!more || part.length <= partLength) break
  }
  if (file === undefined || (await sha256Hex(text)) !== file.sha256)
    throw new Error(words.skill.notReadable(path))
  return text
}

async function said(ports: DirectPorts, tool: string, args: Readonly<Record<string, unknown>>) {
  const outcome = await callDirectly(ports, tool, args)
  if (outcome.kind === 'waits') throw new Error(words.skill.readingWaits)
  const { calls } = await ports.client.run(outcome.run)
  return calls[0]?.result ?? ''
}

/** What the tools of a review are given: everything that the card shows. */
export async function reviewArgs(ports: DirectPorts, skill: ReadableSkill) {
  return argsOf(skill, await textsOf(ports, skill))
}

/** Beside SKILL.md, the other files of what an agent wrote stand on the card, whole. */
export async function proposalReviewArgs(ports: DirectPorts, skill: ReadableSkill) {
  const texts = await textsOf(ports, skill)
  const others = [...texts].flatMap(([path, text]) => (path === skillFile ? [] : [{ path, text }]))
  return { ...argsOf(skill, texts), others }
}

/** What a server serves may be more than one card shows. */
export async function servedReviewArgs(ports: DirectPorts, skill: ReadableSkill) {
  return { ...(await reviewArgs(ports, skill)), others: [] }
}

async function textsOf(ports: DirectPorts, skill: ReadableSkill): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const { path } of skill.files) texts.set(path, await skillText(ports, skill, path))
  return texts
}

function argsOf(skill: ReadableSkill, texts: ReadonlyMap<string, string>) {
  return {
    name: skill.name,
    files: skill.files,
    text: texts.get(skillFile) ?? '',
    report: reportOf(skill, texts),
  }
}

export function reportOf({ files }: Pick<InstalledSkill, 'files'>, texts: ReadonlyMap<string, string>) {
  const encoder = new TextEncoder()
  return skillReport(
    new Map(
      files.map(({ path, executable }) => [
        path,
        { bytes: encoder.encode(texts.get(path) ?? ''), executable },
      ]),
    ),
  )
}
