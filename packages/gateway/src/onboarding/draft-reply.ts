/**
 * The tool of a first action: puts the draft of a reply among the notes. It sends nothing and has no way to; that it is
 * never below T3 lets the operator meet such a card where nothing can go wrong.
 */
import {
  defineTool,
  failed,
  newRecordData,
  newRecordId,
  recordResources,
  recordUndo,
  succeeded,
  type ToolDefinition,
} from '@countersign/tools'
import { z } from 'zod'

export const draftReplyName = 'draft_reply'

const oneLine = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .refine((text) => text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), 'must be one line')

type Draft = {
  readonly to: string
  readonly subject: string
  readonly body: string
}

export const draftReply: ToolDefinition = defineTool<Draft>({
  name: draftReplyName,
  version: '1',
  description: 'Draft a reply to a message. It is kept among the notes for the operator; nothing is sent.',
  input: z.strictObject({
    to: oneLine(300),
    subject: oneLine(300),
    body: z
      .string()
      .min(1)
      .max(20_000)
      .refine((text) => text.isWellFormed(), 'is not well-formed text'),
  }),
  category: 'notes',
  group: 'notes',
  tags: ['draft', 'reply', 'answer', 'mail', 'letter', 'respond'],
  effect: 'idempotent',
  listed: true,
  floor: 3,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  undo: 'restore_records',
  runs: 'gateway',
  describe: ({ to }) => `Draft a reply to ${to}, kept and not sent`,
  preview: ({ to, subject, body }) => ({
    kind: 'text',
    title: 'Draft, not sent',
    text: `To: ${to}\nSubject: ${subject}\n\n${body}`,
  }),
  async effects() {
    return {
      kind: 'found',
      resources: [{ type: 'record', collection: notes.name, id: 'new', op: 'write', version: null }],
      effects: [
        {
          verb: 'write',
          object: 'a new note with the draft',
          scope: 'inside',
          reversible: true,
          outward: false,
          leaves: [],
        },
      ],
    }
  },
  async run({ to, subject, body }, context) {
    const made = newRecordData(
      notes,
      {
        title: `Draft: ${subject}`.slice(0, 200).toWellFormed(),
        content: `To: ${to}\nSubject: ${subject}\n\n${body}`,
      },
      context.now,
    )
    if (made.kind === 'invalid') return failed(made.reason)
    const id = newRecordId(notes.prefix, context.uuid())
    const after = await context.records.insert(notes.name, id, made.data, context.cause?.label ?? null)
    const summary = `Kept the draft for ${to} as a note. Nothing was sent`
    return succeeded(
      `${summary}.`,
      summary,
      recordUndo([{ collection: notes.name, id, before: null, after }]),
    )
  },
})

const notes = notesCollection()

function notesCollection() {
  const found = recordResources.find(({ path }) => path === 'notes')
  if (!found) throw new Error('There is no collection of notes.')
  return found.collection
}
