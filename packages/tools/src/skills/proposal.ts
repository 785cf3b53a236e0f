/**
 * Owns what an agent may write down as a skill, and what its card says of who wrote it. Refuses what is too much to be read on
 * one card, what has no place among the files of a skill, and what claims to be signed.
 */
import {
  type InstalledExtensions,
  isOfSameOrigin,
  mostProposals,
  type ProposedSkill,
  type SkillAuthor,
  type SkillOrigin,
  skillFile,
  type TreeFile,
} from '@countersign/contract'
import { sha256Hex, treeHash, treeProblem } from '@countersign/contract/node'
import { z } from 'zod'
import type { GivenTreeFile } from '../capabilities.ts'
import { proposalNamed, skillNamed } from '../extensions/entry.ts'
import { barred, quotedName } from '../extensions/strangers-words.ts'
import { nameText } from '../text.ts'

/** In characters, of one file. */
export const longestProposedFile = 20_000
export const mostProposedFiles = 10
/** In bytes, of all files. */
const mostProposedBytes = 64 * 1024

/** Every file beside SKILL.md, as a card shows it: whole. */
export const otherFiles = z
  .array(z.strictObject({ path: nameText(200), text: z.string().max(longestProposedFile) }))
  .max(mostProposedFiles)

export interface ProposedFile {
  readonly path: string
  readonly text: string
}

const limits = { files: mostProposedFiles + 1, bytes: mostProposedBytes, fileBytes: mostProposedBytes }

/** The files with SKILL.md, as they are kept: none of them can be run by itself. A text says why they cannot be. */
export function writtenFiles(
  text: string,
  files: readonly ProposedFile[],
): { readonly given: readonly GivenTreeFile[]; readonly files: readonly TreeFile[] } | string {
  const all = [{ path: skillFile, text }, ...files]
  const signed = all.find((file) => claimsSignature(file))
  if (signed)
    return `${signed.path} claims to be signed by a publisher. What you write is signed by nobody; leave that out.`
  const given = all.map((file) => ({
    path: file.path,
    executable: false,
    bytes: Buffer.from(file.text),
  }))
  const listed = listedFiles(given)
  return treeProblem(listed, limits) ?? { given, files: listed }
}

export function listedFiles(given: readonly GivenTreeFile[]): TreeFile[] {
  return given.map(({ path, executable, bytes }) => ({
    path,
    size: bytes.length,
    sha256: sha256Hex(bytes),
    executable,
  }))
}

function claimsSignature({ path, text }: ProposedFile): boolean {
  return /\.(?:sig|asc|minisig|gpg)$/i.test(path) || /-----BEGIN [A-Z ]*SIGNATURE-----/.test(text)
}

/** Why nothing may wait under this name, or nothing. Without `servedBy` an agent wrote it; `unknown`: its address is not known. */
export function nameProblem(
  installed: InstalledExtensions,
  name: string,
  servedBy?: SkillOrigin['servedBy'] | 'unknown',
): string | undefined {
  if (proposalNamed(installed, name))
    return `A skill ${name} waits for the operator’s review already. They review or remove it with \`countersign extension review ${name}\`.`
  const skill = skillNamed(installed, name)
  if (skill && servedBy !== 'unknown' && !isOfSameOrigin(skill, { servedBy }))
    return servedBy
      ? `There is a skill ${name} already that comes from elsewhere. Remove it first.`
      : `There is a skill ${name} already, and only the operator changes it. Take another name.`
  if (skill?.pinned) return `The skill ${name} is pinned: the operator wants it to stay as it is.`
  if (installed.proposals.length >= mostProposals)
    return `${mostProposals} skills wait for the operator’s review already. Ask them to look at those first.`
  return undefined
}

/** The proposal, where it is the one that is shown. */
export function sameProposal(
  installed: InstalledExtensions,
  name: string,
  files: readonly TreeFile[],
): ProposedSkill | undefined {
  const proposal = proposalNamed(installed, name)
  return proposal?.tree === treeHash(files) ? proposal : undefined
}

/** Behind bars, so that none of it can pass for what we say. */
export function wholeFiles(files: readonly ProposedFile[]): string[] {
  return files.flatMap(({ path, text }) => [`${barred(path)}\n  whole:`, barred(text)])
}

/** Says which file is not shown as it is, or nothing. */
export function unshownFile(
  { files, servedBy }: Pick<ProposedSkill, 'files' | 'servedBy'>,
  others: readonly ProposedFile[],
): string | undefined {
  if (servedBy) return others.length === 0 ? undefined : 'Of what a server serves no other file is shown.'
  const isShown = ({ path, sha256 }: TreeFile) =>
    others.some((each) => each.path === path && sha256Hex(each.text) === sha256)
  const unshown = files.find((each) => each.path !== skillFile && !isShown(each))
  if (unshown) return `The file ${unshown.path} is not shown whole.`
  return others.length < files.length ? undefined : 'A file is shown that is not there.'
}

/** What its card says before everything else. */
export function originText({ writtenBy, servedBy }: SkillOrigin): string {
  if (servedBy)
    return `Served by the server ${servedBy.server} at ${quotedName(servedBy.uri)}. Its hashes are those of the server, which may say anything.`
  return writtenBy ? authorText(writtenBy) : 'Nobody knows who wrote it.'
}

function authorText({ agent, run, label }: SkillAuthor): string {
  return [
    `Written by the agent ${quotedName(agent)} in the run ${run}.`,
    label.integrity === 'untrusted'
      ? `WRITTEN AFTER READING WORDS OF ${label.sources.map(quotedName).join(', ') || 'STRANGERS'}. What they wanted may stand in it.`
      : 'Written after reading nothing of strangers.',
    ...(label.confidentiality === 'public'
      ? []
      : [
          `Written after reading ${label.confidentiality === 'secret' ? 'what is secret' : 'what is private'}. Look for what should not be repeated.`,
        ]),
  ].join('\n')
}
