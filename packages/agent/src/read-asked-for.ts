/**
 * Owns the one request in which a model lists what a person's words ask for. It is shown these words and the kinds of
 * acts, and nothing else: no name, no memory, nothing that was read. Nothing that it says is done; others decide what
 * the list is worth, and a list that cannot be read is empty.
 */
import { AskedItem, mostAskedItems } from '@countersign/contract'
import type { Meter } from './meter.ts'
import type { ModelPort, ModelRequest, RawCall } from './model-port.ts'

export interface WishReader {
  readonly model: ModelPort
  readonly meter: Meter
  /** One model by its reference; left out, the route for planning decides. */
  readonly use?: string | undefined
  /** What each kind of act means, by its name. */
  readonly acts: Readonly<Record<string, string>>
}

export const wishTool = 'asked_for'
const patienceMs = 30_000
/** Of what was said, the latest. */
const longestWords = 20_000

/** Undefined where the signal ended it. */
export async function readAskedFor(
  said: readonly string[],
  { model, meter, use, acts }: WishReader,
  signal: AbortSignal,
): Promise<AskedItem[] | undefined> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  for await (const chunk of model.stream(wishRequest(said, acts, use), patience, meter)) {
    if (chunk.type === 'end') return itemsAskedFor(chunk.reply.calls)
    if (chunk.type === 'failed') return signal.aborted ? undefined : []
  }
  return []
}

/** Exactly what the model is shown. Pure. */
export function wishRequest(
  said: readonly string[],
  acts: Readonly<Record<string, string>>,
  use?: string,
): ModelRequest {
  const words = said.map((text, index) => `Message ${index + 1}:\n${text}`).join('\n\n')
  const kinds = Object.entries(acts).map(([act, meaning]) => `- ${act}: ${meaning}`)
  return {
    purpose: 'planning',
    ...(use === undefined ? {} : { model: use }),
    system: [
      'You read what a person wrote to their assistant and list the changes that they ask for.',
      `Call ${wishTool} once. List only what the last message asks for; earlier ones say what it means.`,
      'List nothing that the person only mentions, asks about, quotes or forbids. An empty list is a good answer.',
      'The target is the file, the folder or the table as the person wrote it, to the letter; null if they named none.',
      `The count is how often at most; at most ${mostAskedItems} entries. Kinds of acts:`,
      ...kinds,
    ].join('\n'),
    messages: [{ role: 'user', text: words.slice(-longestWords) }],
    tools: [{ name: wishTool, description: 'Says what the person asks for.', schema: schemaFor(acts) }],
    toolChoice: { name: wishTool },
    maxOutputTokens: 1_000,
  }
}

function schemaFor(acts: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const item = {
    type: 'object',
    additionalProperties: false,
    required: ['act', 'target', 'count'],
    properties: {
      act: { type: 'string', enum: Object.keys(acts) },
      target: { type: ['string', 'null'] },
      count: { type: 'integer', minimum: 1, maximum: 20 },
    },
  }
  return {
    type: 'object',
    additionalProperties: false,
    required: ['items'],
    properties: { items: { type: 'array', maxItems: mostAskedItems, items: item } },
  }
}

/** All or nothing: a list of which a part cannot be read was not understood. Pure. */
export function itemsAskedFor(calls: readonly RawCall[]): AskedItem[] {
  const [call, ...others] = calls
  if (!call || others.length > 0 || call.name !== wishTool || call.problem !== undefined) return []
  const parsed = AskedItem.array().max(mostAskedItems).safeParse(itemsIn(call.args))
  return parsed.success ? parsed.data : []
}

function itemsIn(args: string): unknown {
  try {
    const value: unknown = JSON.parse(args)
    return typeof value === 'object' && value !== null && 'items' in value ? value.items : undefined
  } catch {
    return undefined
  }
}
