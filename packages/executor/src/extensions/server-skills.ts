/**
 * Owns how a skill is read from a server, by the skills extension of the protocol (io.modelcontextprotocol/skills). Each file is
 * compared with what the server said of it, and with nothing else: the hashes are the server's own. Refuses a skill that has no
 * fixed files, is larger than can be looked at, or has files elsewhere than in its folder.
 */
import { canonicalText, type JsonObject, skillFile } from '@countersign/contract'
import { sha256Hex, treeProblem } from '@countersign/contract/node'
import { frontMatterIn, skillLimits, textIn } from '@countersign/contract/skills'
import type { ServedSkill, SkillWish } from '@countersign/tools'
import type { Client, RequestOptions } from '@modelcontextprotocol/client'
import { z } from 'zod'

const extension = 'io.modelcontextprotocol/skills'
const mostPages = 20
const mostListed = 1_000

const SkillEntry = z.object({
  uri: z.string().max(2_000),
  frontmatter: z.record(z.string(), z.unknown()),
  resources: z.union([
    z.array(
      z.object({
        uri: z.string().max(2_000),
        digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
        size: z.int().min(0),
      }),
    ),
    z.literal('dynamic'),
  ]),
})
type SkillEntry = z.infer<typeof SkillEntry>

const Listing = z.object({ skills: z.array(z.unknown()), nextCursor: z.string().max(2_000).optional() })
const Got = z.object({ skill: z.unknown() })

/** What is wrong with the skill, and not with the conversation. */
export class UnfitSkill extends Error {}

/** Rejects with words for a person. */
export async function readServedSkill(
  client: Client,
  { name, uri }: SkillWish,
  options: RequestOptions,
): Promise<ServedSkill> {
  if (client.getServerCapabilities()?.extensions?.[extension] === undefined)
    throw new UnfitSkill('It serves no skills.')
  const at = uri ?? (await uriOf(client, name, options))
  const got = await client.request({ method: 'skills/get', params: { uri: at } }, Got, options)
  const parsed = SkillEntry.safeParse(got.skill)
  if (!parsed.success || parsed.data.uri !== at)
    throw new UnfitSkill(`What it says of the skill ${name} is not of the form.`)
  const places = placesIn(parsed.data, name)
  const files: ServedSkill['files'][number][] = []
  for (const { path, from, digest, size } of places) {
    const bytes = await bytesAt(client, from, options)
    if (bytes.length !== size || `sha256:${sha256Hex(bytes)}` !== digest)
      throw new UnfitSkill(
        `${JSON.stringify(path)} of the skill ${name} is not what the server says that it is.`,
      )
    files.push({ path, executable: false, bytes })
  }
  const main = textIn(files.find(({ path }) => path === skillFile)?.bytes ?? new Uint8Array())
  const front = main === undefined ? undefined : frontMatterIn(main)
  if (front === undefined || canonicalText(front) !== canonicalText(parsed.data.frontmatter as JsonObject))
    throw new UnfitSkill(`The front matter of the skill ${name} is not what the server says that it is.`)
  return { kind: 'skill', uri: at, files }
}

/** A name is a label: two skills of one server may have the same. */
async function uriOf(client: Client, name: string, options: RequestOptions): Promise<string> {
  const found = new Set<string>()
  let listed = 0
  let cursor: string | undefined
  for (let page = 0; page < mostPages && listed < mostListed; page += 1) {
    const params = cursor === undefined ? {} : { cursor }
    const { skills, nextCursor } = await client.request({ method: 'skills/list', params }, Listing, options)
    for (const each of skills) {
      const entry = SkillEntry.safeParse(each)
      if (entry.success && entry.data.frontmatter['name'] === name) found.add(entry.data.uri)
    }
    listed += skills.length
    cursor = nextCursor
    if (cursor === undefined) break
  }
  const [uri] = found
  if (uri === undefined) throw new UnfitSkill(`It lists no skill ${name}. Name its address with --uri.`)
  if (found.size > 1)
    throw new UnfitSkill(
      `It lists ${found.size} skills ${name}. Name the address of one with --uri: ${[...found]
        .slice(0, 5)
        .map((each) => JSON.stringify(each))
        .join(', ')}.`,
    )
  return uri
}

interface FilePlace {
  readonly path: string
  readonly from: string
  readonly digest: string
  readonly size: number
}

/** Where each file is read, by its path in the folder of the skill. Before anything of it is read. */
function placesIn({ uri, resources }: SkillEntry, name: string): FilePlace[] {
  if (resources === 'dynamic')
    throw new UnfitSkill(`The skill ${name} has no fixed files, so nobody can say what is let in.`)
  const end = `/${skillFile}`
  const folder = uri.slice(0, -end.length)
  if (!uri.endsWith(end) || folder.slice(folder.lastIndexOf('/') + 1) !== name)
    throw new UnfitSkill(`The address ${JSON.stringify(uri)} is not that of a skill ${name}.`)
  const places = resources.map(({ uri: from, digest, size }): FilePlace => {
    const path = from.startsWith(`${folder}/`) ? pathIn(from.slice(folder.length + 1)) : undefined
    if (path === undefined) throw new UnfitSkill(`${JSON.stringify(from)} is no file of the skill ${name}.`)
    return { path, from, digest, size }
  })
  const problem = treeProblem(places, skillLimits)
  if (problem !== undefined) throw new UnfitSkill(problem)
  if (!places.some(({ path }) => path === skillFile)) throw new UnfitSkill(`There is no ${skillFile} in it.`)
  return places
}

/** Undefined where two readers could take it for different paths. */
function pathIn(rest: string): string | undefined {
  if (/[?#]/.test(rest) || /%(?:2f|5c|00)/i.test(rest)) return undefined
  try {
    return decodeURIComponent(rest)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

async function bytesAt(client: Client, uri: string, options: RequestOptions): Promise<Uint8Array> {
  const { contents } = await client.readResource({ uri }, options)
  const [content, ...more] = contents
  if (!content || more.length > 0 || content.uri !== uri)
    throw new UnfitSkill(`The server gives something else for ${JSON.stringify(uri)}.`)
  return 'text' in content ? Buffer.from(content.text) : Buffer.from(content.blob, 'base64')
}
