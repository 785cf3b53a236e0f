/**
 * Owns how a SKILL.md is read: the front matter of the open format Agent Skills, and the body after it. Refuses what two
 * readers could take differently, and what the format does not know.
 */
import { isAlias, isNode, parseDocument, visit } from 'yaml'
import { z } from 'zod'
import { holdsHiddenSigns } from '../../display/hidden-signs.ts'
import { SkillName } from '../../extension.ts'
import type { JsonObject } from '../../json/value.ts'

export { skillFile } from '../../extension.ts'
/** In characters. The format asks for less than 500 lines. */
export const longestSkillFile = 60_000
const longestFrontMatter = 16_000

export interface SkillHead {
  readonly name: string
  readonly description: string
  readonly license: string | null
  /** What it needs, in its own words. */
  readonly compatibility: string | null
  readonly metadata: Readonly<Record<string, string>>
  /** What it wants to be held to; null where it does not say. */
  readonly allowedTools: readonly string[] | null
}

export type ReadSkillFile =
  | { readonly kind: 'skill'; readonly head: SkillHead; readonly body: string }
  | { readonly kind: 'refused'; readonly reason: string }

const words = (most: number) =>
  z
    .string({ error: 'must be text. Put it in quotes' })
    .max(most, `must have at most ${most} characters`)
    .refine((text) => text.trim() !== '', 'must not be empty')
    .refine((text) => !holdsHiddenSigns(text), 'contains an invisible character')

const FrontMatter = z.strictObject({
  name: SkillName,
  description: words(1024),
  license: words(1024).exactOptional(),
  compatibility: words(500).exactOptional(),
  metadata: z.record(z.string().max(200), words(1024)).exactOptional(),
  'allowed-tools': words(4_000).exactOptional(),
})

/** `name` is that of its folder, which the format wants to be the same. */
export function readSkillFile(text: string, name: string): ReadSkillFile {
  if (text.length > longestSkillFile) return refused(`It has more than ${longestSkillFile} characters.`)
  const parts = partsOf(text)
  if (!parts) return refused('It does not begin with front matter between two lines of `---`.')
  const [, frontMatter = '', body = ''] = parts
  if (frontMatter.length > longestFrontMatter)
    return refused(`Its front matter has more than ${longestFrontMatter} characters.`)
  const value = valueOf(frontMatter)
  if ('reason' in value) return refused(value.reason)
  const parsed = FrontMatter.safeParse(value.value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.map(String).join('.') ?? ''
    return refused(`Its front matter is not of the format: ${where} ${issue?.message}.`.replace(' : ', ': '))
  }
  const { data } = parsed
  if (data.name !== name)
    return refused(
      `It is called ${data.name} in its front matter, and its folder ${name}. The format wants one name.`,
    )
  const tools = data['allowed-tools']
  return {
    kind: 'skill',
    head: {
      name,
      description: data.description.trim(),
      license: data.license ?? null,
      compatibility: data.compatibility ?? null,
      metadata: data.metadata ?? {},
      allowedTools: tools === undefined ? null : toolsIn(tools),
    },
    body: body.trim(),
  }
}

function partsOf(text: string): RegExpExecArray | null {
  return /^---[ \t]*\r?\n(.*?\r?\n)---[ \t]*(?:\r?\n(.*))?$/s.exec(text)
}

/** As it is written; nothing where it is not read by everybody alike. */
export function frontMatterIn(text: string): JsonObject | undefined {
  const frontMatter = partsOf(text)?.[1] ?? ''
  if (text.length > longestSkillFile || frontMatter.length > longestFrontMatter) return undefined
  const value = valueOf(frontMatter)
  return 'reason' in value ? undefined : z.record(z.string(), z.json()).safeParse(value.value).data
}

/** YAML that says the same to everybody: one document of plain values, nothing named and used again, no key twice. */
function valueOf(text: string): { readonly value: unknown } | { readonly reason: string } {
  if (isDeep(text)) return { reason: 'Its front matter is nested too deeply.' }
  try {
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      strict: true,
      uniqueKeys: true,
      stringKeys: true,
      merge: false,
      prettyErrors: false,
    })
    const [problem] = [...document.errors, ...document.warnings]
    if (problem) return { reason: `Its front matter is not strict YAML: ${problem.message}` }
    let reason: string | undefined
    visit(document, (_key, node) => {
      if (isAlias(node) || (isNode(node) && 'anchor' in node && node.anchor !== undefined))
        reason = 'Its front matter names a value to use it again, which is refused.'
      else if (isNode(node) && node.tag !== undefined)
        reason = `Its front matter has the tag ${node.tag}, which is refused.`
      return reason === undefined ? undefined : visit.BREAK
    })
    return reason === undefined ? { value: document.toJS({ maxAliasCount: 0 }) as unknown } : { reason }
  } catch (error) {
    return {
      reason: `Its front matter cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

/**
 * The reader works by recursion, and where the stack ends it takes the whole process along. Without this many brackets, and
 * without several signs of a list in one line, no text of this length is nested deeply.
 */
function isDeep(text: string): boolean {
  return (text.match(/[[{]/g)?.length ?? 0) > 64 || /^[ \t]*(?:[-?:][ \t]+){3}/m.test(text)
}

/** Split at spaces and commas, save within parentheses: `Read Bash(git add:*)`. */
export function toolsIn(text: string): string[] {
  return [...text.matchAll(/(?:\([^)]*\)?|[^\s,(])+/g)].map(([word]) => word).slice(0, 200)
}

function refused(reason: string): ReadSkillFile {
  return { kind: 'refused', reason }
}
