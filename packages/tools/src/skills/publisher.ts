/**
 * Owns what it counts for that a publisher signed a skill: nothing is let in by it, and its card says who signed and what is
 * different from before. Refuses a signature that does not fit.
 */
import type { InstalledExtensions, InstalledSkill } from '@countersign/contract'
import { PublisherKey, SkillName } from '@countersign/contract'
import { treeHash } from '@countersign/contract/node'
import { keyFingerprint, longestSignature, readSignature, signedText } from '@countersign/contract/skills'
import { z } from 'zod'
import { skillNamed } from '../extensions/entry.ts'
import type { ShownSkill } from './skill-card.ts'

/** What a card says of the publisher stands in the arguments. The executor compares it with what it keeps. */
export const shownPublisher = {
  /** As `ssh-keygen -Y sign` made it. */
  signature: z.string().max(longestSignature).nullable().default(null),
  /** Other skills that are here and are signed by the same key. */
  alsoSigned: z.array(SkillName).max(200).default([]),
}

export const replacedPublisher = PublisherKey.nullable()

interface Signed {
  readonly name: string
  readonly files: ShownSkill['files']
  readonly signature: string | null
}

/** The key; null without a signature; a reason where it does not fit. */
export function publisherOf({ name, files, signature }: Signed): { readonly key: string | null } | string {
  if (signature === null) return { key: null }
  const read = readSignature(signature, signedText(name, treeHash(files)))
  return read.kind === 'signed'
    ? { key: read.key }
    : `The signature of its publisher is refused. ${read.reason}`
}

/** Says what is not as it is shown, or nothing. */
export function publisherProblem(
  installed: InstalledExtensions,
  signed: Signed,
  { alsoSigned, before }: { readonly alsoSigned: readonly string[]; readonly before: string | null },
): string | undefined {
  const publisher = publisherOf(signed)
  if (typeof publisher === 'string') return publisher
  const was = skillNamed(installed, signed.name)?.publisher ?? null
  if (was !== before) return `The skill ${signed.name} is signed by another key than was shown.`
  const others = signedBy(installed.skills, publisher.key, signed.name)
  return others.join() === alsoSigned.join() ? undefined : 'The key signed other skills than was shown.'
}

export function signedBy(
  skills: readonly Pick<InstalledSkill, 'name' | 'publisher'>[],
  key: string | null,
  name: string,
): string[] {
  return skills
    .filter((each) => key !== null && each.publisher === key && each.name !== name)
    .map((each) => each.name)
}

export function publisherText(
  publisher: { readonly key: string | null } | string,
  {
    alsoSigned,
    before,
  }: { readonly alsoSigned: readonly string[]; readonly before: string | null | undefined },
): string {
  if (typeof publisher === 'string') return publisher
  const { key } = publisher
  const was = before === null || before === undefined ? undefined : keyFingerprint(before)
  if (key === null)
    return was === undefined
      ? 'Signed by: nobody'
      : `NOBODY SIGNED THIS. What is there is signed by ${was}. Whoever made this may be somebody else.`
  const named = `Signed by: ${keyFingerprint(key)}`
  if (was !== undefined && before !== key)
    return `ANOTHER KEY SIGNED THIS THAN WHAT IS THERE. Before: ${was}. ${named}. Whoever made this may be somebody else.`
  if (was !== undefined) return `${named}, as what is there`
  return alsoSigned.length > 0
    ? `${named}, as ${alsoSigned.join(', ')}`
    : `${named}, a key that you see for the first time. Compare it with what its publisher says elsewhere.`
}
