/**
 * Owns what the kernel may know of the tools of servers. Each stands for one call of `call_server_tool`, with the
 * definition that the operator accepted. They are found by a search and are in no prompt until then.
 */
import {
  type AcceptedTool,
  forDisplay,
  holdsHiddenSignsWithin,
  type InstalledExtensions,
  type InstalledServer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  kindOf,
  type ParsedArgs,
  type ToolFacts,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { foreignParserOf } from '../custom/parameters.ts'
import { quotedName } from '../extensions/strangers-words.ts'
import { callServerTool } from './call-server-tool.ts'
import { launchSecrets } from './launch-words.ts'
import { qualifiedToolName, usableTool } from './server-tool.ts'

/** As long as an object holds, so does what was made of it. */
const made = new WeakMap<InstalledExtensions, readonly ToolFacts[]>()

export function serverToolFacts(installed: InstalledExtensions): readonly ToolFacts[] {
  const known = made.get(installed)
  if (known) return known
  const facts = installed.servers.flatMap((server) =>
    server.tools.flatMap((tool) => (usableTool(server, tool.listed.name) ? [factsOf(server, tool)] : [])),
  )
  made.set(installed, facts)
  return facts
}

const longestDescription = 600
const longestSchema = 8_000

function factsOf(server: InstalledServer, { listed, definition, tier }: AcceptedTool): ToolFacts {
  const name = qualifiedToolName(server.name, listed.name)
  const kind = kindOf(server)
  let parse: ((value: unknown) => ParsedArgs) | undefined
  let schema: JsonObject | undefined
  return {
    name,
    version: definition.slice(0, 12),
    description: descriptionOf(`${kind} ${server.name}`, listed.title, listed.description),
    category: callServerTool.category,
    group: callServerTool.group,
    tags: kind === 'plugin' ? [server.name, 'plugin'] : [server.name, 'server', 'mcp'],
    effect: callServerTool.effect,
    get schema() {
      return (schema ??= schemaOf(listed.input as JsonObject))
    },
    definition: sha256Hex(`${server.name}\n${definition}\n${tier}`),
    floor: tier,
    output: callServerTool.output,
    runs: 'unwrapped',
    hidden: false,
    standsForHidden: true,
    listed: false,
    undo: null,
    rate: null,
    origin: null,
    parse: (value) => (parse ??= foreignParserOf(listed.input as JsonObject))(value),
    describe: () => `Use ${quotedName(listed.name)} of ${server.name}`,
    preview: (args) => ({ kind: 'text', title: name, text: JSON.stringify(args, null, 2) }),
    unwrap: (args) => ({
      kind: 'one',
      call: {
        tool: callServerTool.name,
        args: {
          server: server.name,
          tool: listed.name,
          definition,
          input: args,
          ...secretsOf(server),
          ...(kind === 'plugin' ? { plugin: true } : {}),
        },
      },
    }),
  }
}

function secretsOf({ launch }: InstalledServer): JsonObject {
  const secrets = launchSecrets(launch)
  return secrets.length === 0 ? {} : { secrets: [...secrets] }
}

/** The words of the server, said to be its words. */
function descriptionOf(from: string, title: string | null, description: string): string {
  const words = [title, description].filter((text) => text !== null && text !== '').join(': ')
  const flat = forDisplay(words.toWellFormed().replaceAll(/\s+/g, ' ')).text.replaceAll(quotes, "'")
  const cut = flat.length > longestDescription ? `${flat.slice(0, longestDescription - 1)}…` : flat
  return `Tool of the ${from}, which describes it so: “${cut.toWellFormed()}”`
}

/** Whatever a reader could take for the end of the quotation. */
const quotes = /["“”„‟〝〞〟＂«»]/gu

/** Without the words in it where it would be very long: what a model is shown has an end. */
function schemaOf(input: JsonObject): JsonObject {
  const { $schema: _, ...rest } = input
  const schema = withVisibleWords(rest) as JsonObject
  // What it names and chooses from cannot be written in another way, so a model is not shown it.
  if (holdsHiddenSignsWithin(schema)) return { type: 'object' }
  if (JSON.stringify(schema).length <= longestSchema) return schema
  const bare = withoutWords(schema)
  return isJsonObject(bare) && JSON.stringify(bare).length <= longestSchema ? bare : { type: 'object' }
}

/** What would be invisible in the words of a schema, a model reads all the same; a person who accepts it should too. */
function withVisibleWords(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withVisibleWords)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [
      key,
      wordKeys.has(key) && typeof held === 'string'
        ? forDisplay(held.toWellFormed(), { multiline: true }).text
        : withVisibleWords(held),
    ]),
  )
}

function withoutWords(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutWords)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, held]) => !(wordKeys.has(key) && typeof held === 'string'))
      .map(([key, held]) => [key, withoutWords(held)]),
  )
}

const wordKeys = new Set(['description', 'title', '$comment'])
